// SPDX-License-Identifier: BSD-3-Clause
// Arrays of a device: what is put into them comes out again, and nothing else is in them.
#include <gtest/gtest.h>

#include "backends.h"
#include "linalg/numbers.h"

namespace sturm::linalg {
namespace {

class Arrays : public test::OnBackend {};

TEST_P(Arrays, AreZeroWhenMade) {
  for (const Index size : {1, 63, 100000}) {
    Array<float> array = backend.make<float>(size);
    EXPECT_EQ(array.size(), size);
    EXPECT_EQ(test::host_copy<float>(backend, array), std::vector<float>(size));
    const std::vector<float> ones(size, 1.0F);  // so that memory which is used again is not zero by chance
    backend.upload(std::span(ones), array.whole());
  }
  EXPECT_TRUE(Array<double>().empty());
  EXPECT_FALSE(Part<double>());
}

TEST_P(Arrays, PartsAreReadAndWrittenAlone) {
  const std::vector<double> numbers = test::draw<double>(10, 91, 1), others{7, 8, 9};
  Array<double> array = backend.uploaded(std::span(numbers));
  backend.upload(std::span(others), array.part(4, 3));
  std::vector<double> expected = numbers;
  std::ranges::copy(others, expected.begin() + 4);
  EXPECT_EQ(test::host_copy<double>(backend, array), expected);
  EXPECT_EQ(test::host_copy<double>(backend, array.part(5, 4)),
            std::vector<double>(expected.begin() + 5, expected.begin() + 9));
}

TEST_P(Arrays, HeldNumbersLiveAsLongAsTheArray) {
  auto numbers = std::make_shared<const std::vector<float>>(test::draw<float>(100, 92, 1));
  const std::vector<float> copy = *numbers;
  const std::weak_ptr<const std::vector<float>> watched = numbers;
  {
    const Array<const float> held = backend.hold(std::span(*numbers), numbers);
    numbers.reset();
    EXPECT_EQ(test::host_copy<float>(backend, held.whole()), copy);
  }
  EXPECT_TRUE(watched.expired());
}

STURM_ON_EVERY_BACKEND(Arrays);

// The processor's memory is the host's: what lies there is used in place, and vectors load whole lines.
TEST(CpuBackend, UsesMemoryInPlaceAndOnCacheLines) {
  const std::vector<float> numbers(8);
  EXPECT_EQ(cpu_backend().hold(std::span(numbers), nullptr).whole().address(), numbers.data());
  for (const Index size : {1, 3, 1000}) {
    const Array<float> made = cpu_backend().make<float>(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made.whole().address()) % 64, 0U);
  }
  EXPECT_EQ(&cpu_backend(), &cpu_backend());
}

}  // namespace
}  // namespace sturm::linalg
