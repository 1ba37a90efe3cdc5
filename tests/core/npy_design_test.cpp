// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/npy_design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "message.h"
#include "sturm/core/files.h"
#include "sturm/core/parallel.h"
#include "temporary.h"

namespace sturm {
namespace {

std::string npy(const std::string& type, bool fortran, const std::vector<Index>& shape, const std::string& data) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (";
  for (const Index extent : shape) header += std::to_string(extent) + ", ";
  header += "), }";
  header.append(117 - header.size(), ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + data;
}

/// A number that tells where it belongs, exact in float32.
double number_at(Index m, Index i, Index j, Index k) { return static_cast<double>(((m * 32 + i) * 32 + j) * 32 + k); }

/// An array of number_at() in one of the ways it may lie in a file.
template <class Stored>
std::string array(const std::vector<Index>& s, bool fortran, bool big_endian) {
  std::string data;
  const auto put = [&](Index m, Index i, Index j, Index k) {
    const auto value = static_cast<Stored>(number_at(m, i, j, k));
    char raw[sizeof(Stored)];
    std::memcpy(raw, &value, sizeof raw);
    if (big_endian) std::reverse(std::begin(raw), std::end(raw));
    data.append(raw, sizeof raw);
  };
  const Index count = s[0] * s[1] * s[2] * s[3];
  for (Index n = 0; n < count; ++n) {
    if (fortran)
      put(n % s[0], n / s[0] % s[1], n / (s[0] * s[1]) % s[2], n / (s[0] * s[1] * s[2]));
    else
      put(n / (s[1] * s[2] * s[3]), n / (s[2] * s[3]) % s[1], n / s[3] % s[2], n % s[3]);
  }
  return npy((big_endian ? ">f" : "<f") + std::to_string(sizeof(Stored)), fortran, s, data);
}

template <class Real>
void expect_numbers(const Design<Real>& design, const std::vector<Index>& rows, const std::string& what) {
  const Shape& s = design.shape();
  ASSERT_EQ(design.samples(), static_cast<Index>(rows.size())) << what;
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i)
        for (Index r = 0; r < design.samples(); ++r)
          ASSERT_EQ(design.column(i + s.n1 * (j + s.n2 * k))[r], number_at(rows[r], i, j, k)) << what;
}

class NpyDesign : public testing::Test {
 protected:
  std::filesystem::path put(const std::string& bytes) {
    write_file(folder_ / "x.npy", bytes);
    return folder_ / "x.npy";
  }
  test::TemporaryFolder folder_;
};

TEST_F(NpyDesign, EveryWayToStoreItIsTheSameDesign) {
  std::optional<UseThreads> in_use;
  // More samples than a tile, one sample, one voxel, a lone tube.
  for (const std::vector<Index>& s :
       {std::vector<Index>{19, 3, 4, 5}, {1, 4, 3, 2}, {5, 1, 1, 1}, {3, 1, 1, 7}, {3, 7, 1, 1}})
    for (const bool fortran : {false, true})
      for (const bool big_endian : {false, true})
        for (const bool wide : {false, true})
          for (const int team : {1, 2}) {
            in_use.emplace(team);
            const std::string bytes =
                wide ? array<double>(s, fortran, big_endian) : array<float>(s, fortran, big_endian);
            const auto file = put(bytes);
            std::vector<Index> rows;
            for (Index m = 0; m < s[0]; ++m) rows.push_back(m);
            const std::string what =
                std::string(fortran ? "F " : "C ") + (big_endian ? ">" : "<") + (wide ? "f8" : "f4");
            expect_numbers(load_design<float>(file), rows, what);
            expect_numbers(load_design<double>(file), rows, what);
            if (s[0] < 3) continue;
            const std::vector<Index> some = {0, s[0] - 1};
            expect_numbers(load_design<float>(file, {.rows = some}), some, what + " some rows");
          }
  in_use.reset();
}

TEST_F(NpyDesign, OurOwnLayoutIsUsedInPlace) {
  const std::vector<Index> shape{3, 2, 2, 2};
  const auto file = put(array<float>(shape, true, false));
  EXPECT_EQ(design_bytes<float>(read_design_header(file)), 0);
  EXPECT_EQ(design_bytes<double>(read_design_header(file)), 24 * 8);
  const Design<float> design = load_design<float>(file, {.memory = 1});  // no memory is needed
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(design.x().data()) % 4096, 128U) << "behind the header, in a mapped page";
  std::filesystem::remove(file);
  expect_numbers(design, {0, 1, 2}, "a file that is removed stays until it is let go");
}

TEST_F(NpyDesign, RefusesWhatDoesNotFit) {
  const auto file = put(array<float>({3, 2, 2, 2}, false, false));
  EXPECT_SAYS(load_design<float>(file, {.memory = 95}), "x.npy", "96 bytes", "95 bytes");
  EXPECT_NO_THROW(load_design<float>(file, {.memory = 96}));
  const std::vector<Index> beyond = {1, 3};
  EXPECT_SAYS(load_design<float>(file, {.rows = beyond}), "no sample 3");
  EXPECT_SAYS(load_design<float>(put(npy("<f4", false, {2, 3}, std::string(24, '\0')))), "2 axes (2, 3)", "four",
              "samples, I1, I2, I3");
  EXPECT_SAYS(load_design<float>(put(npy("<f4", false, {1, 2, 3}, std::string(24, '\0')))), "3 axes", "four");
  EXPECT_SAYS(load_design<float>(put(npy("<f4", false, {0, 2, 3, 4}, ""))), "x.npy", "extent 0");
  EXPECT_SAYS(load_design<float>(put(npy("<i4", false, {1, 1, 1, 1}, "abcd"))), "<i4", "float32");
  EXPECT_SAYS(load_design<float>(put(npy("|u1", false, {1, 1, 1, 1}, "a"))), "|u1", "float32");
  EXPECT_SAYS(load_design<float>(folder_ / "absent.npy"), "absent.npy", "cannot be opened");
}

TEST_F(NpyDesign, MasksAreBoolsBytesOrNumbers) {
  const Shape shape{2, 1, 3};
  const std::vector<std::uint8_t> expected = {1, 0, 0, 0, 0, 1};  // (0,0,0) and (1,0,2)
  EXPECT_EQ(load_mask(put(npy("|b1", true, {2, 1, 3}, std::string("\1\0\0\0\0\1", 6))), shape), expected);
  EXPECT_EQ(load_mask(put(npy("|u1", false, {2, 1, 3}, std::string("\7\0\0\0\0\7", 6))), shape), expected);
  const double numbers[] = {-1, 0, 0, 0, 0, 0.5};
  const std::string bytes(reinterpret_cast<const char*>(numbers), sizeof numbers);
  EXPECT_EQ(load_mask(put(npy("<f8", false, {2, 1, 3}, bytes)), shape), expected);
  EXPECT_SAYS(load_mask(put(npy("|u1", true, {2, 1, 3}, std::string(6, '\0'))), shape), "x.npy", "empty mask");
  EXPECT_SAYS(load_mask(put(npy("|u1", true, {3, 1, 2}, std::string(6, '\1'))), shape), "3x1x2", "2x1x3");
}

}  // namespace
}  // namespace sturm
