// SPDX-License-Identifier: BSD-3-Clause
// A folder of results as sturm cv or sturm fit left it, wherever it was copied to since.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sturm/core/table.h"
#include "sturm/results/cv_results.h"
#include "sturm/results/data_facts.h"
#include "sturm/results/fit_results.h"
#include "sturm/results/rows.h"

namespace sturm {

struct ResultFolder {
  std::filesystem::path path;
  std::optional<CvResults> cv;  ///< one of the two is there
  std::optional<FitResults> fit;
  DataFacts data;                    ///< empty where it is not there
  std::vector<std::string> missing;  ///< what should be there and is not, one sentence for each thing

  /// The rows of a table by its name; none where the file is not there. Throws where it cannot be read.
  template <class Row>
  std::optional<std::vector<Row>> rows(const std::string& name) const {
    if (!std::filesystem::exists(path / name)) return {};
    return read_rows<Row>(Table::read(path / name));
  }
};

/// Throws where the folder holds neither results.json nor fit.json, or where they are not what these programs write.
ResultFolder read_results(const std::filesystem::path& folder);

}  // namespace sturm
