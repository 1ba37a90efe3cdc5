// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sturm/core/files.h"
#include "sturm/core/rng.h"
#include "temporary.h"

namespace sturm {
namespace {

TEST(Npy, RoundTrip) {
  const test::TemporaryFolder folder;
  const Tensor a = random_normal({3, 4, 5}, 1);
  write_npy(folder / "a.npy", a);
  write_npy(folder / "f.npy", cast<float>(a));
  EXPECT_EQ(read_npy_tensor(folder / "a.npy"), a);
  EXPECT_EQ(read_npy_tensor(folder / "f.npy"), cast<double>(cast<float>(a)));
}

TEST(Npy, ReadsBothOrdersOfBytesAndAxes) {
  const test::TemporaryFolder folder;
  std::string bytes("\x93NUMPY\x01\x00", 8);
  std::string header = "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }";
  header.append(118 - header.size() - 1, ' ');
  header += '\n';
  bytes += static_cast<char>(118);
  bytes += '\0';
  bytes += header;
  for (int i = 0; i < 6; ++i) {
    const double v = i;
    char raw[8];
    std::memcpy(raw, &v, 8);
    for (int b = 7; b >= 0; --b) bytes += raw[b];
  }
  write_file(folder / "c.npy", bytes);
  const Tensor a = read_npy_tensor(folder / "c.npy");
  EXPECT_EQ(a.shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(a(1, 0, 0), 3);
  EXPECT_EQ(a(0, 2, 0), 2);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    write_file(folder / "cut.npy", bytes.substr(0, cut));
    EXPECT_THROW(read_npy_tensor(folder / "cut.npy"), Error) << cut;
  }
}

TEST(Npy, SaysWhatIsWrong) {
  const test::TemporaryFolder folder;
  const auto message = [&](const std::string& header) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size());
    bytes += '\0';
    write_file(folder / "bad.npy", bytes + header);
    try {
      read_npy_tensor(folder / "bad.npy");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}").find("<i4"), std::string::npos);
  EXPECT_NE(message("{'fortran_order': False, 'shape': (2,)}").find("descr"), std::string::npos);
  EXPECT_NE(message("{'descr': '<f4', 'fortran_order': False, 'shape': 2}").find("shape"), std::string::npos);
  EXPECT_NE(message("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9)}").find("memory"),
            std::string::npos);
  EXPECT_THROW(read_npy_tensor(folder / "absent.npy"), Error);
}

}  // namespace
}  // namespace sturm
