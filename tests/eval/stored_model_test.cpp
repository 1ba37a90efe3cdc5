// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/stored_model.h"

#include <gtest/gtest.h>

#include "eval/small_study.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

NestedOutcome kept_model(const NestedStudy<double>& study, const char* method) {
  NestedTask task{.labels = {study.keys.y}, .stream = 3, .keep_model = true};
  for (Index row = 0; row < study.keys.rows(); ++row) task.train.push_back(row);
  return nested(study, Family<double>{&find_method<double>(method)}, task)[0][0];
}

/// A study with a mask, a confound that is in the volumes, and samples that are normalised.
NestedStudy<double> hard_study(Normalize normalize, Index classes) {
  NestedStudy<double> study = test::small_study(24, 1, 5, classes);
  std::vector<std::uint8_t> mask(test::study_shape.size(), 1);
  mask[0] = mask[17] = mask[59] = 0;
  Design<double>& design = study.resolutions.front().design;
  design = masked(design, mask);
  study.options.normalize = normalize;
  study.confounds = {1, {}, {{"age", {}}}};
  for (Index m = 0; m < 24; ++m) study.confounds.values.push_back(static_cast<double>(m * m % 7));
  for (Index c = 0; c < classes; ++c) study.keys.class_names[static_cast<double>(c)] = "c" + std::to_string(c);
  return study;
}

// What a journal keeps of a model, read again, says of raw volumes what was noted when it was fitted, to the last bit;
// and of fewer of them, in another order.
TEST(StoredModel, SaysWhatWasNoted) {
  for (const Index classes : {2, 3})
    for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel})
      for (const char* method : {"lasso", "svm", "svm-rbf", "dusk", "dummy", "lasso+svm"}) {
        SCOPED_TRACE(std::string(method) + " " + to_word(normalize) + " " + std::to_string(classes));
        const NestedStudy<double> study = hard_study(normalize, classes);
        const NestedOutcome found = kept_model(study, method);
        ASSERT_TRUE(found.model);
        const SavedModel back = model_of(content_of(*found.model, true));
        const Design<double>& raw = study.resolutions.front().design;
        EXPECT_EQ(decisions_of(back, raw, study.confounds), found.fitted);
        const std::size_t width = classes == 2 ? 1 : 3;
        ASSERT_EQ(found.fitted.size(), 24 * width);
        const std::vector<Index> rows{11, 2, 7};
        const std::vector<double> few = decisions_of(back, rows_of(raw, rows), rows_of(study.confounds, rows));
        for (std::size_t m = 0; m < 3; ++m)
          for (std::size_t c = 0; c < width; ++c)
            EXPECT_EQ(few[m * width + c], found.fitted[static_cast<std::size_t>(rows[m]) * width + c]);
      }
}

// The stored model is the fitted one but for coefficients in single precision: 1e-6 of what they add up to.
TEST(StoredModel, IsTheFittedModel) {
  const NestedStudy<double> study = hard_study(Normalize::voxel, 2);
  const NestedOutcome found = kept_model(study, "lasso");
  const LinearModel& map = found.model->parts[0].model.map();
  for (Index v = 0; v < map.coef.shape().size(); ++v) EXPECT_EQ(map.coef.data()[v], static_cast<double>(found.coef[v]));
  EXPECT_EQ(found.model->confounds.columns.front().name, "age");
  EXPECT_EQ(found.parts.size(), 1U);
}

TEST(StoredModel, ShortensCoefficientsAlone) {
  LinearModel map{Tensor(Shape{2, 1, 1}), 1.0 / 3};
  map.coef.data()[0] = 0.1;
  const Model<double> out = with_short_coefficients(Model<double>(map));
  EXPECT_EQ(out.map().coef.data()[0], static_cast<double>(0.1F));
  EXPECT_EQ(out.map().intercept, 1.0 / 3);
}

}  // namespace
}  // namespace sturm
