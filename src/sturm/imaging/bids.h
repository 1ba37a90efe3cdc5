// SPDX-License-Identifier: BSD-3-Clause
// Files of a BIDS folder, found by the parts of their names: sub-01_ses-1_task-rest_desc-alff_bold.nii.gz
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sturm {

/// participants.tsv of a folder of derivatives: in it, or above it (derivatives/NAME lies in the data set's folder).
/// Throws where there is none.
std::filesystem::path find_participants(const std::filesystem::path& folder);

/// The volumes of a participant (sub-01 or 01) below folder/sub-01 whose names have every part of `entities`: parts are
/// separated by _, and each is a whole entity (task-rest) or the suffix (bold). In the order of their paths.
std::vector<std::filesystem::path> find_by_entities(const std::filesystem::path& folder, const std::string& participant,
                                                    const std::string& entities);

/// The entities in the name of a volume, in their order: sub 01, ses 1, task rest.
std::vector<std::pair<std::string, std::string>> entities_of(const std::filesystem::path& file);

}  // namespace sturm
