// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/model_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "message.h"
#include "sturm/core/build_info.h"
#include "sturm/core/files.h"
#include "sturm/core/rng.h"
#include "sturm/core/safetensors.h"
#include "temporary.h"

namespace sturm {
namespace {

class ModelFile : public testing::Test {
 protected:
  static SavedModel example() {
    LinearModel map{random_normal({3, 4, 5}, 1), -1.0 / 3, Normalize::sample, std::vector<std::uint8_t>(60, 1)};
    for (std::size_t v = 0; v < 60; v += 7) {
      map.mask[v] = 0;
      map.coef.flat()[v] = 0;
    }
    SavedModel out{.shape = {3, 4, 5}, .normalize = map.normalize, .mask = map.mask};
    out.parts.push_back({Model<double>(map), {}});
    out.target = "diagnosis";
    out.classes = Classes{"control", "na\u00efve \"patient\""};
    return out;
  }
  /// The example's content after something was done to it, read as a model.
  template <class Change>
  SavedModel read_changed(const Change& change) {
    write_model(file_, example());
    SafeTensors content = read_safetensors(file_);
    change(content);
    write_safetensors(file_, content);
    return read_model(file_);
  }
  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "model.safetensors";
};

TEST_F(ModelFile, KeepsConfoundsAndWhatItWasTrainedOn) {
  SavedModel saved = example();
  const Index voxels = Region(saved.shape, saved.mask).size();
  saved.confounds = {{{"age", {}}, {"site", {"a", "b", "c"}}}, {40, 0.5, 0.25}, {}};
  for (Index i = 0; i < 3 * voxels; ++i) saved.confounds.coef.push_back(1.0 / static_cast<double>(i + 1));
  saved.trained_on = {std::string(32, 'a'), std::string(32, '0')};
  write_model(file_, saved);
  const SavedModel back = read_model(file_);
  EXPECT_EQ(back.confounds.coef, saved.confounds.coef);
  EXPECT_EQ(back.confounds.mean, saved.confounds.mean);
  ASSERT_EQ(back.confounds.columns.size(), 2U);
  EXPECT_EQ(back.confounds.columns[1].values, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(back.trained_on, saved.trained_on);
  const auto changed = [&](const auto& change) {
    SafeTensors content = content_of(saved);
    change(content);
    return model_of(content);
  };
  EXPECT_SAYS(changed([](SafeTensors& c) { c.metadata["confounds"] = "[{}]"; }), "'confounds'");
  EXPECT_SAYS(changed([](SafeTensors& c) { c.metadata["confounds"] = "7"; }), "'confounds'");
  EXPECT_SAYS(changed([](SafeTensors& c) { c.arrays["confound_coef"].shape = {3, 51}; }), "confound_coef");
  EXPECT_SAYS(changed([](SafeTensors& c) { c.arrays["confound_mean"] = stored(std::vector<double>{1}); }), "mean");
  EXPECT_SAYS(changed([](SafeTensors& c) { c.arrays["trained_on"].shape = {64}; }), "'trained_on'");
}

// Coefficients that are floats take the room of floats.
TEST_F(ModelFile, StoresFloatsAsFloats) {
  SavedModel saved = example();
  EXPECT_EQ(content_of(saved).array("coef").type, "F64");
  LinearModel map = saved.parts[0].model.map();
  for (double& c : map.coef.flat()) c = static_cast<double>(static_cast<float>(c));
  saved.parts[0].model = Model<double>(map);
  const SafeTensors content = content_of(saved);
  EXPECT_EQ(content.array("coef").type, "F32");
  EXPECT_EQ(model_of(content).parts[0].model.map().coef, map.coef);
}

TEST_F(ModelFile, SaysWhichVoxelsItReads) {
  SavedModel saved = example();
  EXPECT_EQ(voxels_read(saved), saved.mask) << "a volume is normalised by all of its voxels";
  saved.normalize = Normalize::none;
  LinearModel map = saved.parts[0].model.map();
  for (std::size_t v = 0; v < 60; ++v) map.coef.flat()[v] = v == 8 ? 1 : 0;
  saved.parts[0].model = Model<double>(map);
  std::vector<std::uint8_t> one(60);
  one[8] = 1;
  EXPECT_EQ(voxels_read(saved), one);
  map.coef.flat()[8] = 0;
  saved.parts[0].model = Model<double>(map);
  const std::vector<std::uint8_t> some = voxels_read(saved);
  EXPECT_EQ(some, saved.mask) << "a mask of few voxels is all there is to tell samples apart by";
}

TEST_F(ModelFile, RoundTripKeepsEveryBit) {
  const SavedModel saved = example();
  write_model(file_, saved);
  for (const auto& path : {file_, folder_.path()}) {
    const SavedModel back = read_model(path);
    const LinearModel &map = back.parts.at(0).model.map(), &written = saved.parts[0].model.map();
    EXPECT_EQ(map.coef, written.coef);
    EXPECT_EQ(map.intercept, written.intercept);
    EXPECT_EQ(map.normalize, Normalize::sample);
    EXPECT_EQ(map.mask, saved.mask);
    EXPECT_EQ(back.shape, saved.shape);
    EXPECT_EQ(back.normalize, Normalize::sample);
    EXPECT_EQ(back.mask, saved.mask);
    EXPECT_EQ(back.method, "sturm");
    EXPECT_EQ(back.target, "diagnosis");
    ASSERT_TRUE(back.classes);
    EXPECT_EQ(back.classes->negative, saved.classes->negative);
    EXPECT_EQ(back.classes->positive, saved.classes->positive);
    EXPECT_EQ(back.version, build_info().version);
  }
}

TEST_F(ModelFile, KeepsTheGridOfVolumes) {
  SavedModel saved = example();
  saved.grid = ModelGrid{{6, 8, 10}, {-3.1, 0, 0.1, 90, 0, 1.0 / 3, 0, -126, 0, 0.2, 3, -72}, 0.5, {}};
  saved.grid->mask.assign(480, 1);
  saved.grid->mask[17] = 0;
  write_model(file_, saved);
  const SavedModel back = read_model(file_);
  ASSERT_TRUE(back.grid);
  EXPECT_EQ(back.grid->shape, saved.grid->shape);
  EXPECT_EQ(back.grid->affine, saved.grid->affine);
  EXPECT_EQ(back.grid->resize, 0.5);
  EXPECT_EQ(back.grid->mask, saved.grid->mask);
  write_model(file_, example());
  EXPECT_FALSE(read_model(file_).grid);
}

TEST_F(ModelFile, RefusesAGridThatIsNone) {
  const std::string affine = R"("affine": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])";
  for (const std::string& grid :
       {std::string("nothing"), std::string("[1, 2]"), "{" + affine + R"(, "resize": 1})",
        R"({"shape": [0, 2, 3], "resize": 1, )" + affine + "}",
        R"({"shape": [1.5, 2, 3], "resize": 1, )" + affine + "}",
        R"({"shape": ["1", 2, 3], "resize": 1, )" + affine + "}",
        R"({"shape": [1, 2, 3], "resize": 2, )" + affine + "}", R"({"shape": [1, 2, 3], )" + affine + "}",
        std::string(R"({"shape": [1, 2, 3], "resize": 1, "affine": [1]})")})
    EXPECT_SAYS(read_changed([&](SafeTensors& content) { content.metadata["grid"] = grid; }), "model.safetensors",
                "'grid'");
  EXPECT_SAYS(read_changed([&](SafeTensors& content) {
                content.metadata["grid"] = R"({"shape": [1, 2, 3], "resize": 1, )" + affine + "}";
                content.arrays["grid_mask"] = content.arrays["mask"];
              }),
              "grid_mask", "1x2x3");
}

TEST_F(ModelFile, MaskAndClassesMayBeAbsent) {
  SavedModel saved = example();
  saved.mask.clear();
  saved.classes.reset();
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    saved.normalize = normalize;
    write_model(file_, saved);
    const SavedModel back = read_model(file_);
    EXPECT_TRUE(back.mask.empty() && back.parts[0].model.map().mask.empty());
    EXPECT_FALSE(back.classes);
    EXPECT_EQ(back.normalize, normalize);
  }
}

TEST_F(ModelFile, PredictsTheSameAfterARoundTrip) {
  const SavedModel saved = example();
  write_model(file_, saved);
  AlignedVector<double> x(2 * 60);
  Rng rng(2);
  for (double& v : x) v = rng.normal();
  for (std::size_t v = 0; v < 60; v += 7) x[2 * v] = std::numeric_limits<double>::quiet_NaN();  // outside the mask
  const auto design = Design<double>::owning(Shape{3, 4, 5}, 2, x);
  const std::vector<double> values = decision_values(read_model(file_), design);
  EXPECT_EQ(values, decision_values(saved, design));
  EXPECT_TRUE(std::isfinite(values[0]) && std::isfinite(values[1]));
}

/// Three classes, each with coefficients of its own.
SavedModel several() {
  SavedModel out{.shape = {3, 4, 5}, .normalize = Normalize::sample, .mask = std::vector<std::uint8_t>(60, 1)};
  out.mask[7] = 0;
  out.names = {"face", "house", "na\u00efve \"shoe\""};
  for (std::uint64_t c = 0; c < 3; ++c) {
    LinearModel map{random_normal({3, 4, 5}, c), 1.0 / static_cast<double>(3 + c), Normalize::sample, out.mask};
    map.coef.flat()[7] = 0;
    out.parts.push_back({Model<double>(map), {}});
  }
  return out;
}

TEST_F(ModelFile, SeveralClassesComeBackInTheirOrder) {
  const SavedModel saved = several();
  write_model(file_, saved);
  EXPECT_EQ(read_safetensors(file_).array("coef").shape, (std::vector<Index>{3, 3, 4, 5}));
  const SavedModel back = read_model(file_);
  EXPECT_EQ(back.names, saved.names);
  EXPECT_FALSE(back.classes);
  EXPECT_EQ(back.mask, saved.mask);
  ASSERT_EQ(back.parts.size(), 3U);
  AlignedVector<double> x(2 * 60);
  Rng rng(2);
  for (double& v : x) v = rng.normal();
  const auto design = Design<double>::owning(Shape{3, 4, 5}, 2, x);
  const std::vector<double> all = decision_values(back, design);
  ASSERT_EQ(all.size(), 6U);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(back.parts[c].model.map().coef, saved.parts[c].model.map().coef);
    EXPECT_EQ(back.parts[c].model.intercept(), saved.parts[c].model.intercept());
    const std::vector<double> one = decision_values(saved.parts[c].model, design);
    EXPECT_EQ(all[c], one[0]);
    EXPECT_EQ(all[3 + c], one[1]) << "the values of a sample lie side by side";
  }
}

TEST_F(ModelFile, ClassesAndModelsMustBeAsMany) {
  const auto changed = [&](const auto& change) {
    write_model(file_, several());
    SafeTensors content = read_safetensors(file_);
    change(content);
    write_safetensors(file_, content);
    return read_model(file_);
  };
  using Content = SafeTensors;
  EXPECT_SAYS(changed([](Content& c) { c.metadata["labels"] = R"(["a", "b", "c", "d"])"; }), "'coef'", "4 classes");
  EXPECT_SAYS(changed([](Content& c) { c.metadata["labels"] = R"(["a"])"; }), "labels");
  EXPECT_SAYS(changed([](Content& c) { c.metadata["labels"] = R"(["a", "b", 3])"; }), "labels");
  EXPECT_THROW(changed([](Content& c) { c.metadata.erase("labels"); }), Error);
  EXPECT_THROW(changed([](Content& c) { c.metadata["kernel"] = "rbf"; }), Error);
  EXPECT_SAYS(changed([](Content& c) { c.arrays["intercept"] = stored(std::vector<double>{1, 2}); }), "'intercept'");
  EXPECT_SAYS(changed([](Content& c) { c.arrays["coef"].shape = {9, 4, 5}; }), "'coef'");
}

TEST_F(ModelFile, EveryPrefixIsRefused) {
  write_model(file_, example());
  std::ostringstream all;
  all << std::ifstream(file_, std::ios::binary).rdbuf();
  for (std::size_t cut = 0; cut < all.str().size(); ++cut) {
    write_file(file_, all.str().substr(0, cut));
    EXPECT_THROW(read_model(file_), Error) << cut;
  }
}

TEST_F(ModelFile, RefusesWhatIsNoModel) {
  using Content = SafeTensors;
  EXPECT_NO_THROW(read_changed([](Content&) {}));
  EXPECT_SAYS(read_changed([](Content& c) { c.metadata.erase("format"); }), "not a model");
  EXPECT_SAYS(read_changed([](Content& c) { c.metadata["format"] = "pt"; }), "not a model");
  EXPECT_SAYS(read_changed([](Content& c) { c.arrays.erase("coef"); }), "model.safetensors", "coef");
  EXPECT_SAYS(read_changed([](Content& c) { c.arrays.erase("intercept"); }), "intercept");
  EXPECT_SAYS(read_changed([](Content& c) { c.metadata["normalize"] = "median"; }), "median");
  EXPECT_SAYS(read_changed([](Content& c) { c.metadata["labels"] = "[1, 2]"; }), "labels");
  EXPECT_SAYS(read_changed([](Content& c) { c.metadata["labels"] = "{"; }), "labels");
  EXPECT_SAYS(read_changed([](Content& c) { c.arrays["mask"].shape = {5, 4, 3}; }), "mask", "3x4x5");
  EXPECT_SAYS(read_changed([](Content& c) { c.arrays["coef"].bytes.replace(0, 8, 8, '\xff'); }), "not finite");
  EXPECT_SAYS(read_changed([](Content& c) { c.arrays["intercept"].bytes.assign(8, '\xff'); }), "not finite");
  EXPECT_SAYS(read_model(folder_ / "absent"), "absent", "does not exist");
  std::filesystem::remove(file_);
  EXPECT_SAYS(read_model(folder_.path()), "model.safetensors", "does not exist");
}

}  // namespace
}  // namespace sturm
