// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/result_folder.h"

#include "sturm/core/error.h"
#include "sturm/core/files.h"
#include "sturm/core/json_text.h"
#include "sturm/results/json.h"

namespace sturm {

namespace fs = std::filesystem;

namespace {

/// `change` may leave out what another version wrote in another way.
template <class T>
T read_described(const fs::path& file, void (*change)(nlohmann::ordered_json&) = nullptr) {
  auto value = parse_json<nlohmann::ordered_json>(read_file(file));
  if (!value.is_object()) throw Error({file.string()}, "is not a JSON object as sturm writes it; make it again.");
  if (change != nullptr) change(value);
  T out;
  try {
    from_json(value, out, "");
  } catch (const Error& error) {
    throw Error({file.string()},
                std::string("its JSON is not as sturm writes it (") + error.what() + "); make it again.");
  }
  return out;
}

void drop_foreign_settings(nlohmann::ordered_json& results) {
  if (results.contains("settings") && !has_every_key<StudySettings>(results["settings"])) results.erase("settings");
}

CvResults read_cv(const fs::path& file) {
  auto out = read_described<CvResults>(file, drop_foreign_settings);
  if (out.methods.empty()) throw Error({file.string()}, "has no 'methods', so it is none of sturm cv; make it again.");
  for (const auto& [name, method] : out.methods)
    if (name.find_first_of("/\\") != std::string::npos)
      throw Error({file.string()}, "methods." + name + " is none of sturm cv; make it again.");
  return out;
}

}  // namespace

ResultFolder read_results(const fs::path& folder) {
  ResultFolder out;
  out.path = folder;
  if (fs::exists(folder / "results.json")) {
    out.cv = read_cv(folder / "results.json");
    for (const char* name : {"folds.tsv", "predictions.tsv", "grid.tsv"})
      if (!fs::exists(folder / name)) out.missing.push_back(std::string(name) + " is not in the folder.");
    if (!out.cv->settings)
      out.missing.emplace_back(
          "The settings in results.json are not of this version: the methods text leaves them out.");
  } else if (fs::exists(folder / "fit.json")) {
    out.fit = read_described<FitResults>(folder / "fit.json");
  } else {
    throw Error({folder.string()},
                "holds neither results.json of sturm cv nor fit.json of sturm fit; name the folder "
                "that one of them wrote.");
  }
  if (fs::exists(folder / "data.json"))
    out.data = read_described<DataFacts>(folder / "data.json");
  else
    out.missing.emplace_back("data.json is not in the folder: the samples and the command are not described.");
  return out;
}

}  // namespace sturm
