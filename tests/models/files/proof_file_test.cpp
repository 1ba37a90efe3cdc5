// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/proof_file.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/core/rng.h"
#include "sturm/core/safetensors.h"
#include "temporary.h"

namespace sturm {
namespace {

class ProofFile : public testing::Test {
 protected:
  static constexpr Shape shape{3, 2, 4};

  SavedProof example(std::size_t parts, std::size_t terms, bool scaled) const {
    SavedProof out{{}, {1, -1, 1}, {1, 2, 0}, {}, R"({"samples": "a.tsv"})", "sturm"};
    for (const char digit : {'a', 'b', 'c'}) out.rows.emplace_back(32, digit);
    for (std::size_t p = 0; p < parts; ++p) {
      ProofPoint& part = out.parts.emplace_back();
      part.theta = {0.5, -1.0 / 3, static_cast<double>(p)};
      for (std::size_t t = 0; t < terms; ++t) part.split.push_back(random_normal(shape, 10 * p + t));
      if (scaled) part.scale.assign(static_cast<std::size_t>(region_.size()), 0.25);
    }
    return out;
  }
  template <class Change>
  SavedProof read_changed(const Change& change) {
    write_proof(file_, example(1, 1, false), region_);
    SafeTensors content = read_safetensors(file_);
    change(content);
    write_safetensors(file_, content);
    return read_proof(file_);
  }

  Region region_ = [] {
    std::vector<std::uint8_t> mask(shape.size(), 1);
    mask[5] = mask[6] = 0;
    return Region(shape, mask);
  }();
  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "proof.safetensors";
};

TEST_F(ProofFile, RoundTripKeepsEveryBit) {
  for (const std::size_t parts : {1, 3})
    for (const std::size_t terms : {0, 1, 3})
      for (const bool scaled : {false, true}) {
        const SavedProof saved = example(parts, terms, scaled);
        write_proof(file_, saved, region_);
        const SavedProof back = read_proof(file_);
        ASSERT_EQ(back.parts.size(), parts);
        for (std::size_t p = 0; p < parts; ++p) {
          EXPECT_EQ(back.parts[p].theta, saved.parts[p].theta);
          EXPECT_EQ(back.parts[p].split, saved.parts[p].split);
          ASSERT_EQ(back.parts[p].scale.empty(), !scaled);
          if (scaled) {
            EXPECT_EQ(region_.gather<double>(back.parts[p].scale), saved.parts[p].scale);
          }
        }
        EXPECT_EQ(back.y, saved.y);
        EXPECT_EQ(back.weights, saved.weights);
        EXPECT_EQ(back.rows, saved.rows);
        EXPECT_EQ(back.study, saved.study);
        EXPECT_EQ(back.method, "sturm");
      }
}

TEST_F(ProofFile, RefusesWhatDoesNotFit) {
  EXPECT_SAYS(read_proof(folder_ / "none"), "does not exist", "`proof`");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.metadata["format"] = "sturm-model"; }), "not a proof");
  for (const char* const name : {"theta", "y", "weights", "rows"})
    EXPECT_SAYS(read_changed([&](SafeTensors& c) { c.arrays.erase(name); }), name);
  EXPECT_SAYS(read_changed([](SafeTensors& c) {
                c.arrays["theta"] = stored(std::vector<double>{1, 2});
              }),
              "for each sample");
  EXPECT_SAYS(read_changed([](SafeTensors& c) {
                c.arrays["weights"] = stored(std::vector<double>{1, 2});
              }),
              "for each sample");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["rows"].shape = {32, 3}; }), "hash");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["y"] = stored(Tensor({3, 1, 1})); }), "more than one axis");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["theta"] = stored(Tensor({2, 3, 1})); }), "shape");
  EXPECT_SAYS(read_changed([](SafeTensors& c) { c.arrays["split"].shape = {24}; }), "shape");
}

}  // namespace
}  // namespace sturm
