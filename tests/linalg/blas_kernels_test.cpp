// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/linalg/blas_kernels.h"

#include <gtest/gtest.h>

namespace sturm::linalg {
namespace {

struct Case {
  const char* kernels;
  SimdLevel processor;
  const char* better;
};

class BetterKernels : public testing::TestWithParam<Case> {};

TEST_P(BetterKernels, OnlyWhenTheProcessorCanDoMore) {
  const auto& [kernels, processor, better] = GetParam();
  EXPECT_EQ(better_kernels(kernels, processor), better) << kernels << " on " << name(processor);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BetterKernels,
    testing::Values(Case{"Prescott", SimdLevel::avx512, "SkylakeX"},  // OpenBLAS 0.3.21 on Emerald Rapids
                    Case{"Prescott", SimdLevel::avx2, "Haswell"},     // a new chip with AVX-512 fused off
                    Case{"prescott", SimdLevel::avx2, "Haswell"},  // names are matched without case, as OpenBLAS does
                    Case{"Nehalem", SimdLevel::avx, "Sandybridge"}, Case{"Prescott", SimdLevel::sse, ""},
                    Case{"Sandybridge", SimdLevel::avx512, "SkylakeX"}, Case{"Haswell", SimdLevel::avx512, "SkylakeX"},
                    Case{"Zen", SimdLevel::avx512, "SkylakeX"}, Case{"Zen", SimdLevel::avx2, ""},
                    Case{"Haswell", SimdLevel::avx2, ""}, Case{"SkylakeX", SimdLevel::avx512, ""},
                    Case{"Cooperlake", SimdLevel::avx512, ""}, Case{"SapphireRapids", SimdLevel::avx512, ""},
                    Case{"SkylakeX", SimdLevel::avx2, ""},        // not ours to lower
                    Case{"unknown", SimdLevel::avx512, ""},       // another BLAS
                    Case{"neoversen1", SimdLevel::unknown, ""}),  // another architecture
    [](const auto& test) {
      return std::string(test.param.kernels) + "_" + std::to_string(static_cast<int>(test.param.processor));
    });

TEST(BlasKernels, EveryAdviceIsAKernelSetOfTheProcessorsOwnLevel) {
  for (const SimdLevel processor : {SimdLevel::avx, SimdLevel::avx2, SimdLevel::avx512})
    EXPECT_EQ(kernel_level(better_kernels("generic", processor)), processor);
}

TEST(BlasKernels, DescriptionTellsWhoChose) {
  BlasKernels blas{.kernels = "SkylakeX"};
  EXPECT_EQ(describe(blas), "SkylakeX");
  blas.choice = KernelChoice::corrected;
  blas.replaced = "Prescott";
  EXPECT_EQ(describe(blas), "SkylakeX (corrected from Prescott)");
  EXPECT_EQ(describe({.kernels = "Prescott", .better = "SkylakeX", .choice = KernelChoice::user}),
            "Prescott, below what this processor can do (set by you)");
}

TEST(BlasKernels, ThisProcessIsInspected) {
  const BlasKernels& blas = blas_kernels();
  EXPECT_EQ(blas.library.substr(0, 8), "OpenBLAS");
  EXPECT_NE(blas.kernels, "unknown");
  EXPECT_EQ(blas.better, better_kernels(blas.kernels, processor_level()));
}

TEST(SlowBlasWarning, NamesTheLineToSetAndPrintsNothing) {
  testing::internal::CaptureStderr();
  const std::string text = slow_blas_warning();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const BlasKernels& blas = blas_kernels();
  if (!std::getenv("STURM_BLAS_KERNELS")) {
    EXPECT_EQ(text.empty(), blas.better.empty() || blas.choice != KernelChoice::library) << text;
  }
  if (!text.empty()) {
    EXPECT_NE(text.find("OPENBLAS_CORETYPE=" + blas.better), std::string::npos);
  }
}

}  // namespace
}  // namespace sturm::linalg
