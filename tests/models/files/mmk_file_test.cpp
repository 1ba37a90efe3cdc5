// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/mmk_file.h"

#include <gtest/gtest.h>

#include "message.h"
#include "models/classes.h"
#include "sturm/models/files/model_file.h"
#include "sturm/models/multiway/mmk_method.h"
#include "temporary.h"

namespace sturm {
namespace {

using test::two_classes;
using test::TwoClasses;

class MmkFile : public testing::TestWithParam<Normalize> {
 protected:
  SavedModel example(const Method<double>& method, bool masked) {
    if (masked)
      for (std::size_t v = 0; v < mask_.size(); v += 5) mask_[v] = 0;
    else
      mask_.clear();
    MethodOptions options;
    options.seed = 7;
    const auto model = test::fit_one(method, {linalg::cpu_backend(), data_.design, mask_, GetParam()},
                                     {data_.y, test::uneven_weights(20), {2, 1.5, 4}}, options);
    SavedModel out{.shape = data_.design.shape(), .normalize = GetParam(), .mask = mask_, .method = method.name()};
    out.parts.push_back({model->model(), {}});
    values_ = model->decision_values(data_.design);
    return out;
  }
  template <class Change>
  SavedModel read_changed(const Change& change) {
    write_model(file_, example(*make_mmk<double>(), true));
    SafeTensors content = read_safetensors(file_);
    change(content);
    write_safetensors(file_, content);
    return read_model(file_);
  }

  TwoClasses data_ = two_classes({4, 3, 5}, 20, 2, 1);
  std::vector<std::uint8_t> mask_ = std::vector<std::uint8_t>(60, 1);
  std::vector<double> values_;
  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "model.safetensors";
};

// Vectors are stored in double and new volumes are decomposed alike, from the same seed: every bit is the same.
TEST_P(MmkFile, PredictsWhatTheFittedModelPredicts) {
  for (const auto& method : {make_mmk<double>(), make_dusk<double>()})
    for (const bool masked : {true, false}) {
      write_model(file_, example(*method, masked));
      const SavedModel back = read_model(file_);
      EXPECT_EQ(back.method, method->name());
      EXPECT_EQ(back.normalize, GetParam());
      EXPECT_EQ(decision_values(back, data_.design), values_);
    }
}

TEST_P(MmkFile, RefusesWhatDoesNotFit) {
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays.erase("mask"); }), "mask");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays.erase("support_terms"); }), "support_terms");
  EXPECT_SAYS(read_changed([](SafeTensors& c) {
                c.arrays["support_terms"] = stored(Tensor({3, 2, 11}));
              }),
              "support_terms");
  EXPECT_SAYS(read_changed([](SafeTensors& c) {
                c.arrays["support_coef"] = stored(std::vector<double>{1, 2});
              }),
              "support_coef");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["sigma"] = stored(std::vector<double>{0}); }), "sigma");
  EXPECT_SAYS(read_changed([](SafeTensors& c) {
                c.arrays["position_kernel"] = stored(std::vector<double>{2, 2});
              }),
              "position_kernel");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.metadata["seed"] = "many"; }), "seed");
  if (GetParam() != Normalize::voxel) return;
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["voxel_mean"] = stored(Tensor({4, 3, 4})); }), "voxel_mean");
}
INSTANTIATE_TEST_SUITE_P(Normalisations, MmkFile,
                         testing::Values(Normalize::none, Normalize::sample, Normalize::voxel));

// One class alone has no support vectors and is that class for everybody, from a file too.
TEST(MmkModel, WithoutSupportVectors) {
  const TwoClasses data = two_classes({4, 3, 5}, 8, 1, 1);
  const auto model = test::fit_one(*make_dusk<double>(), {linalg::cpu_backend(), data.design, {}},
                                   {std::vector<double>(8, -1.0), {}, {1, 1, 1}});
  const test::TemporaryFolder folder;
  SavedModel saved{.shape = data.design.shape(), .method = "dusk"};
  saved.parts.push_back({model->model(), {}});
  write_model(folder / "model.safetensors", saved);
  EXPECT_EQ(decision_values(read_model(folder / "model.safetensors"), data.design), std::vector<double>(8, -1.0));
}

}  // namespace
}  // namespace sturm
