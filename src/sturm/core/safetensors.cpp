// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sturm/core/files.h"
#include "sturm/core/json_text.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "bytes are written as they lie in memory");

constexpr Index header_limit = Index{1} << 20;  // ours are under a kilobyte

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error({file.string()}, "is not a safetensors file that can be read here: " + why + ".");
}

/// 0 for a type that is not read here.
Index item_bytes(std::string_view type) { return type == "F64" ? 8 : type == "F32" ? 4 : type == "U8" ? 1 : 0; }

/// Calls body with the place of every voxel in a Tensor, in the order of a file: the last index fastest.
template <class Body>
void visit_c_order(const Shape& shape, Body body) {
  for (Index i = 0; i < shape.n1; ++i)
    for (Index j = 0; j < shape.n2; ++j)
      for (Index k = 0; k < shape.n3; ++k) body(i + shape.n1 * (j + shape.n2 * k));
}

struct Entry {
  std::string name;
  StoredArray array;
  Index begin = 0, end = 0;
};

/// A size or offset: a whole number from 0 that fits an Index.
Index whole(const fs::path& file, const json& value, const std::string& what) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > INT64_MAX)
    refuse(file, what + " is " + value.dump() + ", not a size");
  return value.get<Index>();
}

Entry parse_entry(const fs::path& file, const std::string& name, const json& value, Index data_bytes) {
  const auto field = [&](const char* key) -> const json& {
    if (!value.is_object() || !value.contains(key)) refuse(file, "array '" + name + "' has no field " + key);
    return value.at(key);
  };
  const json &type = field("dtype"), &shape = field("shape"), &offsets = field("data_offsets");
  Entry entry{name, {}};
  entry.array.type = type.is_string() ? type.get<std::string>() : type.dump();
  Index size = item_bytes(entry.array.type);
  if (size == 0) refuse(file, "array '" + name + "' is of type " + entry.array.type + ", not F64, F32 or U8");
  if (!shape.is_array() || shape.size() > 8) refuse(file, "array '" + name + "' has no proper shape");
  for (const json& extent : shape) {
    entry.array.shape.push_back(whole(file, extent, "an extent of '" + name + "'"));
    size = checked_product(size, entry.array.shape.back());
  }
  if (!offsets.is_array() || offsets.size() != 2) refuse(file, "array '" + name + "' has no proper data_offsets");
  entry.begin = whole(file, offsets[0], "an offset of '" + name + "'");
  entry.end = whole(file, offsets[1], "an offset of '" + name + "'");
  if (entry.begin > entry.end || entry.end > data_bytes || entry.end - entry.begin != size)
    refuse(file, "array '" + name + "' needs " + std::to_string(size) + " bytes and claims [" +
                     std::to_string(entry.begin) + ", " + std::to_string(entry.end) + ") of " +
                     std::to_string(data_bytes));
  return entry;
}

/// The words and, in the order of the file, the arrays that a header describes.
std::vector<Entry> parse_header(const fs::path& file, const std::string& text, Index data_bytes, SafeTensors& out) {
  const json header = parse_json(text);
  if (!header.is_object()) refuse(file, "its header is not a JSON object");
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name != "__metadata__") {
      entries.push_back(parse_entry(file, name, value, data_bytes));
      continue;
    }
    if (!value.is_object()) refuse(file, "its __metadata__ is not an object");
    for (const auto& [key, word] : value.items()) {
      if (!word.is_string()) refuse(file, "the word '" + key + "' of its __metadata__ is not a text");
      out.metadata[key] = word.get<std::string>();
    }
  }
  // Empty arrays take no room: they come before what begins at the same place.
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.begin, e.end); });
  Index at = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != at) refuse(file, "array '" + entry.name + "' does not begin where the one before it ends");
    at = entry.end;
  }
  if (at != data_bytes) refuse(file, "its arrays end before the file does");
  return entries;
}

}  // namespace

const StoredArray& SafeTensors::array(const std::string& name) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw Error({file}, "holds no array '" + name + "'.");
  return found->second;
}

std::string SafeTensors::word(const std::string& name, const std::string& otherwise) const {
  const auto found = metadata.find(name);
  return found == metadata.end() ? otherwise : found->second;
}

std::string file_bytes(const SafeTensors& content) {
  // Wide types first, so that every array is aligned to its numbers.
  std::vector<const std::pair<const std::string, StoredArray>*> order;
  for (const auto& item : content.arrays) order.push_back(&item);
  std::ranges::stable_sort(order,
                           [](auto a, auto b) { return item_bytes(a->second.type) > item_bytes(b->second.type); });

  ordered_json header;
  if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
  std::string data;
  for (const auto* item : order) {
    const auto& [name, array] = *item;
    header[name] = {{"dtype", array.type}, {"shape", array.shape}, {"data_offsets", {0, 0}}};
    header[name]["data_offsets"] = {data.size(), data.size() + array.bytes.size()};
    data += array.bytes;
  }
  std::string text = header.empty() ? "{}" : header.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + text + data;
}

void write_safetensors(const fs::path& file, const SafeTensors& content) { write_file(file, file_bytes(content)); }

namespace {

SafeTensors read_from(std::istream& in, Index file_bytes, const fs::path& file) {
  std::uint64_t length = 0;
  if (file_bytes < 10 || !in.read(reinterpret_cast<char*>(&length), sizeof length)) refuse(file, "it is too short");
  if (length > static_cast<std::uint64_t>(std::min(header_limit, file_bytes - 8)))
    refuse(file, "its header claims " + std::to_string(length) + " bytes");
  std::string text(length, ' ');
  if (!in.read(text.data(), static_cast<std::streamsize>(length))) refuse(file, "it breaks off inside its header");

  SafeTensors out;
  out.file = file.string();
  for (Entry& entry : parse_header(file, text, file_bytes - 8 - static_cast<Index>(length), out)) {
    entry.array.bytes.resize(static_cast<std::size_t>(entry.end - entry.begin));
    if (!in.read(entry.array.bytes.data(), entry.end - entry.begin)) refuse(file, "it could not be read to its end");
    out.arrays[entry.name] = std::move(entry.array);
  }
  return out;
}

}  // namespace

SafeTensors read_safetensors(const fs::path& file) {
  require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error({file.string()}, "cannot be opened; check the path and its permissions.");
  return read_from(in, static_cast<Index>(fs::file_size(file)), file);
}

SafeTensors safetensors_of(const std::string& bytes, const std::string& name) {
  std::istringstream in(bytes, std::ios::binary);
  return read_from(in, std::ssize(bytes), name);
}

StoredArray stored(const Tensor& a) {
  const Shape& shape = a.shape();
  StoredArray out{"F64", {shape.n1, shape.n2, shape.n3}, std::string(a.flat().size_bytes(), '\0')};
  visit_c_order(shape, [&, at = out.bytes.data()](Index voxel) mutable {
    std::memcpy(at, a.data() + voxel, sizeof(double));
    at += sizeof(double);
  });
  return out;
}

StoredArray stored(std::span<const double> values) {
  StoredArray out{"F64", {static_cast<Index>(values.size())}, std::string(values.size_bytes(), '\0')};
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), values.size_bytes());
  return out;
}

Tensor to_tensor(const StoredArray& array, const std::string& where) {
  if (array.shape.size() > 3 || array.type == "U8")
    throw Error({where}, "is an array of " + std::to_string(array.shape.size()) + " axes and type " + array.type +
                             " where a tensor of three axes in F64 or F32 is expected.");
  std::vector<Index> shape = array.shape;
  shape.resize(3, 1);
  Tensor out(Shape{shape[0], shape[1], shape[2]});
  const bool wide = array.type == "F64";
  visit_c_order(out.shape(), [&, at = array.bytes.data()](Index voxel) mutable {
    float narrow = 0;
    std::memcpy(wide ? static_cast<void*>(out.data() + voxel) : &narrow, at, wide ? 8 : 4);
    if (!wide) out.data()[voxel] = static_cast<double>(narrow);
    at += wide ? 8 : 4;
  });
  return out;
}

std::vector<double> to_numbers(const StoredArray& array, Index count, const std::string& where) {
  const Tensor found = to_tensor(array, where);
  if (found.shape() != Shape{count, 1, 1} ||
      !std::ranges::all_of(found.flat(), [](double v) { return std::isfinite(v); }))
    throw Error({where}, "is not an array of " + std::to_string(count) + " finite numbers.");
  return {found.flat().begin(), found.flat().end()};
}

StoredArray stored(std::span<const std::uint8_t> bytes, const Shape& shape) {
  StoredArray out{"U8", {shape.n1, shape.n2, shape.n3}, std::string(bytes.size(), '\0')};
  visit_c_order(shape, [&, at = out.bytes.data()](Index voxel) mutable { *at++ = static_cast<char>(bytes[voxel]); });
  return out;
}

std::vector<std::uint8_t> to_bytes(const StoredArray& array, const Shape& shape, const std::string& where) {
  if (array.type != "U8" || array.shape != std::vector<Index>{shape.n1, shape.n2, shape.n3})
    throw Error({where}, "is not an array of " + to_string(shape) + " bytes.");
  std::vector<std::uint8_t> out(array.bytes.size());
  visit_c_order(shape,
                [&, at = array.bytes.data()](Index voxel) mutable { out[voxel] = static_cast<std::uint8_t>(*at++); });
  return out;
}

}  // namespace sturm
