// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/npy_design.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>

#include "sturm/core/error.h"
#include "sturm/core/mapped_file.h"
#include "sturm/core/memory.h"
#include "sturm/core/npy.h"
#include "sturm/core/parallel.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

constexpr Index piece_bytes = Index{64} << 20;  ///< how much of a file lies in memory at a time while it is converted
constexpr Index tile = 16;                      ///< samples turned together: their cache lines stay while k runs

Shape volume_shape(const NpyHeader& header) { return Shape{header.shape[1], header.shape[2], header.shape[3]}; }

template <class Real>
bool usable_in_place(const NpyHeader& header, const DesignLoad& how) {
  return header.fortran_order && !header.swapped && header.item_bytes == static_cast<Index>(sizeof(Real)) &&
         header.data_offset % static_cast<Index>(sizeof(Real)) == 0 &&
         (how.rows.empty() || static_cast<Index>(how.rows.size()) == header.shape[0]);
}

/// Numbers of a file, of type Stored and perhaps in the other byte order, read one at a time as Real.
template <class Stored, bool swapped>
struct Numbers {
  const std::byte* data;
  Stored operator[](Index i) const {
    using Word = std::conditional_t<sizeof(Stored) == 4, std::uint32_t, std::uint64_t>;
    Word word = 0;
    std::memcpy(&word, data + i * static_cast<Index>(sizeof word), sizeof word);
    if constexpr (swapped && sizeof(Stored) == 4) word = __builtin_bswap32(word);
    if constexpr (swapped && sizeof(Stored) == 8) word = __builtin_bswap64(word);
    return std::bit_cast<Stored>(word);
  }
};

/// Calls body with the Numbers that a header asks for.
template <class Body>
void with_numbers(const NpyHeader& header, const std::byte* data, const Body& body) {
  if (header.item_bytes == 4)
    header.swapped ? body(Numbers<float, true>{data}) : body(Numbers<float, false>{data});
  else
    header.swapped ? body(Numbers<double, true>{data}) : body(Numbers<double, false>{data});
}

/// Fortran order: out(r, voxel) = in(rows[r], voxel); both lie voxel by voxel.
template <class Real, class In>
void convert_fortran(const In& in, const NpyHeader& header, std::span<const Index> rows, const MappedFile& map,
                     Real* out) {
  const Index all = header.shape[0], kept = static_cast<Index>(rows.size());
  const Index voxels = volume_shape(header).size(), column_bytes = all * header.item_bytes;
  const Index piece = std::max<Index>(1, piece_bytes / column_bytes), part = std::max<Index>(1, (piece + 63) / 64);
  for (Index first = 0; first < voxels; first += piece) {
    const Index last = std::min(voxels, first + piece);
    parallel_for((last - first + part - 1) / part, [&](Index p, int) {
      const Index begin = first + p * part, end = std::min(last, begin + part);
      for (Index v = begin; v < end; ++v)
        for (Index r = 0; r < kept; ++r) out[v * kept + r] = static_cast<Real>(in[v * all + rows[r]]);
    });
    map.release(header.data_offset + first * column_bytes, header.data_offset + last * column_bytes);
  }
}

/// C order: out(r, (i, j, k)) = in(((rows[r] n1 + i) n2 + j) n3 + k), tube by tube.
template <class Real, class In>
void convert_c(const In& in, const NpyHeader& header, std::span<const Index> rows, const MappedFile& map, Real* out) {
  const Shape shape = volume_shape(header);
  const Index n1 = shape.n1, n2 = shape.n2, n3 = shape.n3;
  const Index kept = static_cast<Index>(rows.size()), voxels = n1 * n2 * n3, plane = n1 * n2;
  const Index chunk = 1024, chunks = (n3 + chunk - 1) / chunk;  // long tubes in parts, for the sake of balance
  // The file is read in slabs of i; within a volume a slab is one contiguous piece.
  const Index slab = std::clamp<Index>(piece_bytes / (kept * n2 * n3 * header.item_bytes), 1, n1);
  for (Index first = 0; first < n1; first += slab) {
    const Index last = std::min(n1, first + slab);
    parallel_for((last - first) * n2 * chunks, [&](Index task, int) {
      const Index tube = first * n2 + task / chunks, i = tube / n2, j = tube % n2;
      const Index k0 = task % chunks * chunk, k1 = std::min(n3, k0 + chunk);
      for (Index r0 = 0; r0 < kept; r0 += tile)
        for (Index k = k0; k < k1; ++k) {
          Real* const column = out + (i + n1 * j + plane * k) * kept;
          for (Index r = r0; r < std::min(kept, r0 + tile); ++r)
            column[r] = static_cast<Real>(in[rows[r] * voxels + tube * n3 + k]);
        }
    });
    for (const Index row : rows) {
      const Index start = header.data_offset + row * voxels * header.item_bytes;
      map.release(start + first * n2 * n3 * header.item_bytes, start + last * n2 * n3 * header.item_bytes);
    }
  }
}

/// Room for numbers that are all written before they are read: not cleared first, so that pages are first touched
/// by the threads that fill them.
template <class Real>
std::shared_ptr<Real> uncleared(Index count) {
  void* const room = ::operator new(static_cast<std::size_t>(count) * sizeof(Real), AlignedAllocator<Real>::alignment);
  return {static_cast<Real*>(room), [](Real* p) { ::operator delete(p, AlignedAllocator<Real>::alignment); }};
}

}  // namespace

NpyHeader read_design_header(const fs::path& file) {
  NpyHeader header = read_npy_header(file);
  if (header.shape.size() != 4) {
    std::string axes;
    for (const Index extent : header.shape) axes += (axes.empty() ? "" : ", ") + std::to_string(extent);
    throw Error({file.string()},
                "has " + std::to_string(header.shape.size()) + " axes (" + axes +
                    ") where four are expected: samples, I1, I2, I3" +
                    (header.shape.size() == 2 ? "; a table of features is array[:, :, None, None]." : "."));
  }
  if (header.size() == 0) throw Error({file.string()}, "holds no numbers: one of its axes has extent 0.");
  return header;
}

template <class Real>
Index design_bytes(const NpyHeader& header, const DesignLoad& how) {
  if (usable_in_place<Real>(header, how)) return 0;
  const Index kept = how.rows.empty() ? header.shape[0] : static_cast<Index>(how.rows.size());
  return checked_product(checked_product(kept, volume_shape(header).size()), sizeof(Real));
}

template <class Real>
Design<Real> load_design(const fs::path& file, const DesignLoad& how) {
  const NpyHeader header = read_design_header(file);
  const Shape shape = volume_shape(header);
  const auto map = std::make_shared<const MappedFile>(file);
  if (map->size() < header.data_offset + header.size() * header.item_bytes)
    throw Error({file.string()}, "grew shorter while it was read; is it still being written?");
  const std::byte* const data = map->data() + header.data_offset;
  if (usable_in_place<Real>(header, how))
    return Design<Real>(shape, header.shape[0],
                        {reinterpret_cast<const Real*>(data), static_cast<std::size_t>(header.size())}, map);

  const Index needed = design_bytes<Real>(header, how);
  const Index allowed = how.memory > 0 ? how.memory : memory_available();
  if (needed > allowed)
    throw Error({file.string()},
                "needs " + std::to_string(needed) + " bytes (" + format_bytes(needed) + ") of memory where " +
                    format_bytes(allowed) + " may be used; save it with numpy.asfortranarray as " +
                    (sizeof(Real) == 4 ? "float32" : "float64") + " to use it in place, without a copy.");

  std::vector<Index> all(how.rows.begin(), how.rows.end());
  if (all.empty()) {
    all.resize(static_cast<std::size_t>(header.shape[0]));
    std::iota(all.begin(), all.end(), Index{0});
  }
  if (all.back() >= header.shape[0]) throw Error({file.string()}, "has no sample " + std::to_string(all.back()) + ".");
  const Index count = needed / static_cast<Index>(sizeof(Real));
  const std::shared_ptr<Real> out = uncleared<Real>(count);
  with_numbers(header, data, [&](auto in) {
    header.fortran_order ? convert_fortran(in, header, all, *map, out.get())
                         : convert_c(in, header, all, *map, out.get());
  });
  return Design<Real>(shape, static_cast<Index>(all.size()), {out.get(), static_cast<std::size_t>(count)}, out);
}

std::vector<std::uint8_t> load_mask(const fs::path& file, const Shape& expected) {
  const NpyHeader header = read_npy_header(file, NpyTypes::floats_and_bytes);
  if (header.shape != std::vector<Index>{expected.n1, expected.n2, expected.n3}) {
    std::string extents;
    for (const Index extent : header.shape) extents += (extents.empty() ? "" : "x") + std::to_string(extent);
    throw Error({file.string()},
                "is a mask of shape " + extents + " where the volumes are " + to_string(expected) + ".");
  }
  const MappedFile map(file);
  const std::byte* const data = map.data() + header.data_offset;
  const Index n1 = expected.n1, n2 = expected.n2, n3 = expected.n3;
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(expected.size()));
  const auto fill = [&](auto in) {
    for (Index k = 0, v = 0; k < n3; ++k)
      for (Index j = 0; j < n2; ++j)
        for (Index i = 0; i < n1; ++i, ++v) {
          const auto value = in[header.fortran_order ? v : (i * n2 + j) * n3 + k];
          mask[v] = value < 0 || value > 0;  // NaN is outside
        }
  };
  if (header.item_bytes == 1)
    fill(reinterpret_cast<const std::uint8_t*>(data));
  else
    with_numbers(header, data, fill);
  if (std::ranges::find(mask, 1) == mask.end())
    throw Error({file.string()}, "is an empty mask: no voxel is inside, where inside means not 0.");
  return mask;
}

template Index design_bytes<float>(const NpyHeader&, const DesignLoad&);
template Index design_bytes<double>(const NpyHeader&, const DesignLoad&);
template Design<float> load_design(const fs::path&, const DesignLoad&);
template Design<double> load_design(const fs::path&, const DesignLoad&);

}  // namespace sturm
