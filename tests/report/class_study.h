// SPDX-License-Identifier: BSD-3-Clause
// Folders of results with several classes, as sturm cv --classes and sturm fit --classes leave them.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sturm/report/brain_map.h"
#include "sturm/results/json.h"
#include "sturm/results/study_settings.h"

namespace sturm::test {

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// One map per class: a ball of weight around a place of its own, positive, and a smaller one against the class.
inline std::vector<BrainMap> class_maps(std::size_t classes, const Shape& shape, bool in_world) {
  std::vector<BrainMap> out;
  for (std::size_t c = 0; c < classes; ++c) {
    const Affine affine = in_world ? Affine{{{{2, 0, 0, -10}, {0, 2, 0, -20}, {0, 0, 2, 5}}}} : Affine{};
    out.push_back({TensorF(shape), affine, in_world});
    const double turn = 6.283 * static_cast<double>(c) / static_cast<double>(classes);
    const auto ball = [&](double sign, double radius, double at) {
      const double middle[3] = {static_cast<double>(shape.n1) * (0.5 + 0.28 * std::cos(at)),
                                static_cast<double>(shape.n2) * (0.5 + 0.28 * std::sin(at)),
                                0.5 * static_cast<double>(shape.n3)};
      for (Index k = 0; k < shape.n3; ++k)
        for (Index j = 0; j < shape.n2; ++j)
          for (Index i = 0; i < shape.n1; ++i) {
            const double away = std::hypot(static_cast<double>(i) - middle[0], static_cast<double>(j) - middle[1],
                                           static_cast<double>(k) - middle[2]);
            if (away < radius)
              out[c].values(i, j, k) =
                  static_cast<float>(sign * static_cast<double>(c + 1) * (1 - 0.5 * away / radius));
          }
    };
    ball(1, 0.14 * static_cast<double>(shape.n1), turn);
    ball(-0.5, 0.09 * static_cast<double>(shape.n1), turn + 3.1416);
  }
  return out;
}

inline nlohmann::ordered_json class_data(const std::vector<std::string>& classes, Index each) {
  using nlohmann::ordered_json;
  const std::vector<Index> half(classes.size(), each / 2), counts(classes.size(), each);
  const Index n = each * static_cast<Index>(classes.size()) / 2;
  ordered_json table = ordered_json::array();
  for (const std::string& name : classes) table.push_back({{"column", "stimulus"}, {"value", name}, {"count", each}});
  return {{"command", "sturm cv --samples samples.tsv --target stimulus --classes"},
          {"table", table},
          {"excluded", ordered_json::array()},
          {"warnings", ordered_json::array()},
          {"class_samples", counts},
          {"site_column", "scanner"},
          {"sites",
           {{{"site", "A"}, {"n", n}, {"class_samples", half}}, {{"site", "B"}, {"n", n}, {"class_samples", half}}}},
          {"facts", {{{"name", "voxels"}, {"value", "a few"}}}}};
}

/// Two methods, `each` samples per class (an even number): sturm is right but for one sample per class, which it takes
/// for the next class; svm takes half of them for the next.
inline void write_class_cv(const std::filesystem::path& folder, const std::vector<std::string>& classes, Index each,
                           const Shape& shape, bool in_world = true) {
  using nlohmann::ordered_json;
  const std::size_t count = classes.size();
  const auto samples = each * static_cast<Index>(count);
  ordered_json methods = ordered_json::object();
  std::string predictions = "method\tparticipant_id\tpath\tfold\tactual\tdecision\tpredicted";
  for (const std::string& name : classes) predictions += "\tdecision_" + name;
  predictions += "\n";
  std::string folds =
      "method\tfold\tn_train\tn_test\tresize\tsetting\tinner_score\taccuracy\tbalanced_accuracy\tauc\tsparsity\t"
      "sparsity_in_mask\ttubal_rank\tobjective\trelative_gap\titerations\tstatus\n";
  std::string grid = "method\tfold\tresize\tsetting\tchosen\tscore\tscores\tsparsity\tworst_gap\tunconverged\n";
  std::string sites = "method\tsite\tn\taccuracy\n", null = "method\tpermutation\tscore\n";
  for (const std::string method : {"svm", "sturm"}) {
    const Index wrong = method == "sturm" ? 1 : each / 2;
    const double right = 1 - static_cast<double>(wrong) / static_cast<double>(each);
    std::vector<std::vector<Index>> matrix(count, std::vector<Index>(count, 0));
    for (std::size_t c = 0; c < count; ++c) {
      matrix[c][c] = each - wrong;
      matrix[c][(c + 1) % count] += wrong;
      for (Index s = 0; s < each; ++s) {
        const std::size_t said = s < wrong ? (c + 1) % count : c;
        predictions += fmt::format("{}\tsub-{}\tv/{}_{}.nii.gz\t{}\t{}\t0.5\t{}", method, s + 1, c + 1, s + 1,
                                   s % 2 + 1, classes[c], classes[said]);
        for (std::size_t k = 0; k < count; ++k) predictions += k == said ? "\t0.5" : "\t-0.5";
        predictions += "\n";
      }
    }
    for (const int fold : {1, 2}) {
      folds += fmt::format("{}\t{}\t{}\t{}\t1\tC=1\t0.6\t{}\t{}\t0.9\t0.9\t0.8\tn/a\t1\t1e-4\t20\tconverged\n", method,
                           fold, samples / 2, samples / 2, right, right);
      for (const double c : {0.1, 1.0, 10.0})
        grid += fmt::format("{}\t{}\t1\tC={}\t{}\t{}\t{}\t0.9\t1e-4\t0\n", method, fold, c, c == 1 ? 1 : 0,
                            right - (c == 1 ? 0 : 0.1), right);
    }
    for (const char* site : {"A", "B"}) sites += fmt::format("{}\t{}\t{}\t{}\n", method, site, samples / 2, right);
    for (int p = 1; p <= 19; ++p)
      null += fmt::format("{}\t{}\t{}\n", method, p, (1 + 0.02 * (p % 5)) / static_cast<double>(count));
    methods[method] = {{"title", method == "svm" ? "Linear support vector machine" : "Sturm"},
                       {"accuracy", right},
                       {"accuracy_sd", 0.01},
                       {"pooled_accuracy", right},
                       {"balanced_accuracy", right},
                       {"balanced_accuracy_sd", 0.01},
                       {"pooled_balanced_accuracy", right},
                       {"auc", 0.9},
                       {"auc_sd", 0.01},
                       {"pooled_auc", 0.9},
                       {"pooled_accuracy_interval", {right - 0.05, right + 0.05}},
                       {"binomial_p", 1e-6},
                       {"confusion", {{"matrix", matrix}}},
                       {"permutation_p", 0.05},
                       {"sparsity", 0.9},
                       {"sparsity_sd", 0.01},
                       {"sparsity_in_mask", 0.8},
                       {"inner_fits", 12},
                       {"inner_fits_unconverged", 0},
                       {"inner_worst_gap", 1e-4},
                       {"all_samples", {{"resize", 1.0}, {"C", 1.0}, {"status", "converged"}, {"relative_gap", 1e-4}}}};
    write_series(folder, "map_" + method, class_maps(count, shape, in_world), "coefficients");
  }
  const std::vector<Index> counts(count, each);
  StudySettings settings;
  settings.options.folds = {"2", "2"};
  const ordered_json results = {{"version", "0.1.0"},
                                {"target", "stimulus"},
                                {"labels", classes},
                                {"samples", samples},
                                {"class_samples", counts},
                                {"chance", 1 / static_cast<double>(count)},
                                {"majority", 1 / static_cast<double>(count)},
                                {"groups", nullptr},
                                {"outer_folds", 2},
                                {"score", "accuracy"},
                                {"permutations", 19},
                                {"permuted", "samples"},
                                {"settings", to_json(settings)},
                                {"methods", methods}};
  write_text(folder / "results.json", results.dump());
  write_text(folder / "data.json", class_data(classes, each).dump());
  write_text(folder / "predictions.tsv", predictions);
  write_text(folder / "folds.tsv", folds);
  write_text(folder / "grid.tsv", grid);
  write_text(folder / "sites.tsv", sites);
  write_text(folder / "null.tsv", null);
}

/// One model of several classes; that of the last class did not converge.
inline void write_class_fit(const std::filesystem::path& folder, const std::vector<std::string>& classes, Index each,
                            const Shape& shape, bool in_world = true) {
  using nlohmann::ordered_json;
  ordered_json fits = ordered_json::array();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const bool last = c + 1 == classes.size();
    fits.push_back({{"class", classes[c]},
                    {"objective", 1.5 + static_cast<double>(c)},
                    {"dual", 1.4 + static_cast<double>(c)},
                    {"relative_gap", last ? 0.02 : 1e-4},
                    {"iterations", 40 + c},
                    {"status", last ? "iteration_limit" : "converged"},
                    {"sparsity", 0.9},
                    {"sparsity_in_mask", 0.8},
                    {"tubal_rank", 3},
                    {"intercept", 0.125}});
  }
  const ordered_json fit = {{"method", "sturm"},
                            {"objective", 10.5},
                            {"relative_gap", 0.02},
                            {"iterations", 42},
                            {"status", "iteration_limit"},
                            {"sparsity", 0.9},
                            {"sparsity_in_mask", 0.8},
                            {"tubal_rank", 3},
                            {"intercept", nullptr},
                            {"n_samples", each * static_cast<Index>(classes.size())},
                            {"parameters", {{"tau", 0.5}, {"gamma", 0.1}}},
                            {"solver", "certified"},
                            {"normalize", "none"},
                            {"target", "stimulus"},
                            {"labels", classes},
                            {"classes", fits},
                            {"version", "0.1.0"}};
  write_text(folder / "fit.json", fit.dump());
  write_text(folder / "data.json", class_data(classes, each).dump());
  write_series(folder, "coef", class_maps(classes.size(), shape, in_world), "coefficients");
}

}  // namespace sturm::test
