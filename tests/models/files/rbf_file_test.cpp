// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/rbf_file.h"

#include <gtest/gtest.h>

#include "message.h"
#include "models/classes.h"
#include "sturm/models/files/model_file.h"
#include "sturm/models/kernel/svm_rbf.h"
#include "temporary.h"

namespace sturm {
namespace {

using test::two_classes;
using test::TwoClasses;

class RbfFile : public testing::TestWithParam<Normalize> {
 protected:
  /// A model of masked volumes, fitted, and as it is saved.
  SavedModel example() {
    for (std::size_t v = 0; v < mask_.size(); v += 5) mask_[v] = 0;
    const auto model = test::fit_one(*make_svm_rbf<double>(), {linalg::cpu_backend(), data_.design, mask_, GetParam()},
                                     {data_.y, test::uneven_weights(30), {1.0, 0.8}});
    SavedModel out{.shape = data_.design.shape(), .normalize = GetParam(), .mask = mask_, .method = "svm-rbf"};
    out.parts.push_back({standing_alone(model->model()), {}});
    values_ = model->decision_values(data_.design);
    return out;
  }
  template <class Change>
  SavedModel read_changed(const Change& change) {
    write_model(file_, example());
    SafeTensors content = read_safetensors(file_);
    change(content);
    write_safetensors(file_, content);
    return read_model(file_);
  }

  TwoClasses data_ = two_classes({4, 3, 5}, 30, 0.6, 1);
  std::vector<std::uint8_t> mask_ = std::vector<std::uint8_t>(60, 1);
  std::vector<double> values_;
  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "model.safetensors";
};

// The volumes are floats, and sums are in double in the same order: but for the reference that distances are taken
// from, the same numbers.
TEST_P(RbfFile, PredictsWhatTheFittedModelPredicts) {
  write_model(file_, example());
  EXPECT_EQ(read_safetensors(file_).array("support").type, "F32");
  const SavedModel back = read_model(file_);
  EXPECT_EQ(back.method, "svm-rbf");
  EXPECT_EQ(back.normalize, GetParam());
  EXPECT_LE(test::largest_difference(decision_values(back, data_.design), values_), 1e-12);
  EXPECT_LE(test::largest_difference(decision_values(back, test::converted<float>(data_.design)), values_), 1e-12);
}

// A journal keeps the voxels of the mask alone; what comes back is the same model, to the last bit.
TEST_P(RbfFile, CompactHasTheSameNumbers) {
  const SavedModel saved = example();
  const SafeTensors content = content_of(saved, true);
  EXPECT_EQ(content.array("support_columns").shape[1], 48) << "of 60 voxels";
  EXPECT_FALSE(content.arrays.contains("support"));
  write_model(file_, saved);
  EXPECT_EQ(decision_values(model_of(content), data_.design), decision_values(read_model(file_), data_.design));
  write_model(folder_ / "again.safetensors", model_of(content));
  EXPECT_EQ(read_safetensors(folder_ / "again.safetensors").array("support").bytes,
            read_safetensors(file_).array("support").bytes);
}

TEST_P(RbfFile, RefusesWhatDoesNotFit) {
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.metadata["kernel"] = "poly"; }), "'poly'");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays.erase("support"); }), "support");
  EXPECT_SAYS(read_changed([](SafeTensors& c) {
                c.arrays["support"].shape = {60, 30 / 30};
                c.arrays["support"].bytes.resize(240);
              }),
              "support");
  EXPECT_SAYS(read_changed([](SafeTensors& c) {
                c.arrays["support_coef"] = stored(std::vector<double>{1, 2});
              }),
              "support_coef");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["sigma"] = stored(std::vector<double>{0}); }), "sigma");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["voxel_scale"] = stored(Tensor({4, 3, 5})); }), "voxel_scale");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["voxel_scale"] = stored(Tensor({4, 3, 4})); }), "voxel_scale");
}
INSTANTIATE_TEST_SUITE_P(Normalisations, RbfFile,
                         testing::Values(Normalize::none, Normalize::sample, Normalize::voxel));

}  // namespace
}  // namespace sturm
