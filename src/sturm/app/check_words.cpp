// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/check_words.h"

#include <fmt/core.h>

#include "sturm/results/json.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

const char* verdict(const VolumeFacts& facts) {
  if (!facts.error.empty()) return "error";
  return !facts.warnings.empty() ? "warning" : facts.stands_out.empty() ? "ok" : "outlier";
}

std::string size_of(const VolumeInfo& info) {
  const Point size = voxel_size(info.grid.affine);
  return fmt::format("{:.4g}x{:.4g}x{:.4g}", size[0], size[1], size[2]);
}

}  // namespace

std::string check_table(const StudyCheck& study) {
  if (study.files.empty()) return {};
  std::string out =
      "line\tpath\tvolume\tshape\tvoxel_mm\torientation\tnot_finite\tconstant\textreme\tminimum\tmaximum\tsame_as"
      "\tverdict\n";
  for (std::size_t row = 0; row < study.files.size(); ++row) {
    const VolumeFacts& facts = study.volumes[row];
    const SampleFile& sample = study.files[row];
    const std::string name = table_field(sample.written);
    out += fmt::format("{}\t{}\t{}\t", study.table.line(static_cast<Index>(row)), name, sample.volume.value_or(0));
    if (facts.info)
      out += fmt::format("{}\t{}\t{}", to_string(facts.info->grid.shape), size_of(*facts.info),
                         orientation(facts.info->grid.affine));
    else
      out += "n/a\tn/a\tn/a";
    if (facts.error.empty())
      out += fmt::format("\t{}\t{}\t{}\t{:.6g}\t{:.6g}", facts.not_finite, facts.constant ? "yes" : "no", facts.extreme,
                         facts.low, facts.high);
    else
      out += "\tn/a\tn/a\tn/a\tn/a\tn/a";
    const Index same = study.same_as.empty() ? -1 : study.same_as[row];
    out += fmt::format("\t{}\t{}\n", table_field(same < 0 ? "" : study.files[same].written), verdict(facts));
  }
  return out;
}

nlohmann::ordered_json check_json(const StudyCheck& study) {
  ordered_json files = ordered_json::array(), findings = ordered_json::array();
  for (std::size_t row = 0; row < study.files.size(); ++row) {
    const VolumeFacts& facts = study.volumes[row];
    ordered_json file = {{"line", study.table.line(static_cast<Index>(row))},
                         {"path", study.files[row].written},
                         {"volume", study.files[row].volume.value_or(0)},
                         {"verdict", verdict(facts)}};
    if (facts.info) {
      const Shape& s = facts.info->grid.shape;
      file["shape"] = {s.n1, s.n2, s.n3};
      file["voxel_mm"] = voxel_size(facts.info->grid.affine);
      file["orientation"] = orientation(facts.info->grid.affine);
    }
    if (facts.error.empty())
      file.update({{"not_finite", facts.not_finite},
                   {"constant", facts.constant},
                   {"extreme", facts.extreme},
                   {"minimum", facts.low},
                   {"maximum", facts.high}});
    else
      file["error"] = facts.error;
    if (!study.same_as.empty() && study.same_as[row] >= 0) file["same_as"] = study.files[study.same_as[row]].written;
    if (!facts.stands_out.empty()) file["stands_out"] = facts.stands_out;
    file["warnings"] = facts.warnings;
    files.push_back(std::move(file));
  }
  const char* const words[] = {"note", "warning", "error"};
  for (const Finding& finding : study.findings)
    findings.push_back({{"severity", words[static_cast<int>(finding.severity)]}, {"what", finding.sentence}});
  return {{"files", files},
          {"labels", study.labels},
          {"groups", study.groups},
          {"confounds", study.confounds},
          {"resources", study.resources},
          {"coverage", study.coverage ? to_json(*study.coverage) : ordered_json()},
          {"findings", findings}};
}

}  // namespace sturm
