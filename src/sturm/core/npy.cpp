// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/npy.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>

#include "sturm/core/error.h"
#include "sturm/core/files.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error({file.string()}, why + "; write it with numpy.save(file, array.astype('float32')).");
}

/// The text after 'key': in the header's dictionary, or an error.
std::string_view value_of(const fs::path& file, std::string_view header, std::string_view key) {
  auto at = header.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) refuse(file, "its header has no field '" + std::string(key) + "'");
  at = header.find(':', at);
  if (at == std::string_view::npos) refuse(file, "its header breaks off after '" + std::string(key) + "'");
  const auto begin = header.find_first_not_of(' ', at + 1);
  return begin == std::string_view::npos ? std::string_view{} : header.substr(begin);
}

std::vector<Index> parse_shape(const fs::path& file, std::string_view text) {
  std::vector<Index> shape;
  const auto close = text.find(')');
  if (text.empty() || text.front() != '(' || close == std::string_view::npos)
    refuse(file, "the field 'shape' of its header is not a tuple");
  text = text.substr(1, close - 1);
  while (true) {
    const auto begin = text.find_first_not_of(" ,");
    if (begin == std::string_view::npos) return shape;
    text.remove_prefix(begin);
    Index extent = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (code != std::errc{} || extent < 0) refuse(file, "the field 'shape' of its header is not a list of sizes");
    shape.push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

template <class Word, class Real>
Real swapped_bytes(Real value) {
  const auto word = std::bit_cast<Word>(value);
  if constexpr (sizeof(Word) == 4)
    return std::bit_cast<Real>(__builtin_bswap32(word));
  else
    return std::bit_cast<Real>(__builtin_bswap64(word));
}

std::string extents(const Shape& s) {
  return std::to_string(s.n1) + ", " + std::to_string(s.n2) + ", " + std::to_string(s.n3);
}

/// A header and the values, in Fortran order.
template <class Real>
std::string bytes_of_array(const std::string& shape, std::span<const Real> values) {
  static_assert(std::endian::native == std::endian::little);
  std::string text =
      "{'descr': '<f" + std::to_string(sizeof(Real)) + "', 'fortran_order': True, 'shape': (" + shape + "), }";
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(text.size() % 256);
  bytes += static_cast<char>(text.size() / 256);
  bytes += text;
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace

Index NpyHeader::size() const {
  Index n = 1;
  for (const Index extent : shape) n = checked_product(n, extent);
  return n;
}

NpyHeader read_npy_header(const fs::path& file, NpyTypes types) {
  require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error({file.string()}, "cannot be opened; check the path and its permissions.");
  std::array<char, 10> start{};
  if (!in.read(start.data(), 10) || std::memcmp(start.data(), "\x93NUMPY", 6) != 0) refuse(file, "is not an .npy file");
  const auto byte = [&start](int i) { return static_cast<Index>(static_cast<unsigned char>(start[i])); };
  Index length = byte(8) + 256 * byte(9);
  Index offset = 10;
  if (start[6] >= 2) {
    std::array<char, 2> rest{};
    in.read(rest.data(), 2);
    length += (static_cast<Index>(static_cast<unsigned char>(rest[0])) << 16) +
              (static_cast<Index>(static_cast<unsigned char>(rest[1])) << 24);
    offset = 12;
  }
  if (length > 1 << 20) refuse(file, "its header claims " + std::to_string(length) + " bytes");
  std::string text(length, ' ');
  if (!in.read(text.data(), length)) refuse(file, "breaks off inside its header");

  NpyHeader header;
  header.data_offset = offset + length;
  const std::string_view type = value_of(file, text, "descr").substr(0, 5);
  const bool bytes = type == "'|b1'" || type == "'|u1'";
  const bool known = (bytes && types == NpyTypes::floats_and_bytes) ||
                     (type.size() == 5 && (type.substr(2, 2) == "f4" || type.substr(2, 2) == "f8") &&
                      (type[1] == '<' || type[1] == '>' || type[1] == '='));
  if (!known) refuse(file, "holds numbers of type " + std::string(type) + ", and only float32 and float64 are read");
  header.item_bytes = type[3] - '0';
  header.swapped = !bytes && type[1] != '=' && (type[1] == '>') == (std::endian::native == std::endian::little);
  header.fortran_order = value_of(file, text, "fortran_order").starts_with("True");
  header.shape = parse_shape(file, value_of(file, text, "shape"));

  const Index expected = checked_product(header.size(), header.item_bytes) + header.data_offset;
  const auto actual = static_cast<Index>(fs::file_size(file));
  if (actual != expected)
    refuse(file, "has " + std::to_string(actual) + " bytes where its header asks for " + std::to_string(expected));
  return header;
}

std::vector<double> read_npy(const fs::path& file, NpyHeader& header) {
  header = read_npy_header(file);
  std::ifstream in(file, std::ios::binary);
  in.seekg(header.data_offset);
  const auto count = static_cast<std::size_t>(header.size());
  const auto fill = [&](auto value) {
    using Real = decltype(value);
    using Word = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    std::vector<Real> raw(count);
    if (!in.read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(count * sizeof(Real))))
      refuse(file, "could not be read to its end");
    if (header.swapped)
      for (Real& v : raw) v = swapped_bytes<Word>(v);
    return std::vector<double>(raw.begin(), raw.end());
  };
  return header.item_bytes == 4 ? fill(float{}) : fill(double{});
}

Tensor read_npy_tensor(const fs::path& file) {
  NpyHeader header;
  const std::vector<double> values = read_npy(file, header);
  if (header.shape.size() > 3)
    throw Error({file.string()}, "has " + std::to_string(header.shape.size()) + " axes where a tensor has three.");
  header.shape.resize(3, 1);
  Tensor out(Shape{header.shape[0], header.shape[1], header.shape[2]});
  const auto [n1, n2, n3] = out.shape();
  if (header.fortran_order) {
    std::ranges::copy(values, out.data());
  } else {
    for (Index k = 0; k < n3; ++k)
      for (Index j = 0; j < n2; ++j)
        for (Index i = 0; i < n1; ++i) out(i, j, k) = values[(i * n2 + j) * n3 + k];
  }
  return out;
}

template <class Real>
void write_npy(const fs::path& file, const BasicTensor<Real>& a) {
  write_file(file, bytes_of_array(extents(a.shape()), a.flat()));
}

namespace {

template <class Value>
void write_series(const fs::path& file, const Shape& shape, std::span<const Value> values) {
  const Index count = static_cast<Index>(values.size()) / shape.size();
  write_file(file, bytes_of_array(extents(shape) + ", " + std::to_string(count), values));
}

}  // namespace

void write_npy_series(const fs::path& file, const Shape& shape, std::span<const float> values) {
  write_series(file, shape, values);
}
void write_npy_series(const fs::path& file, const Shape& shape, std::span<const double> values) {
  write_series(file, shape, values);
}

template void write_npy(const fs::path&, const Tensor&);
template void write_npy(const fs::path&, const TensorF&);

}  // namespace sturm
