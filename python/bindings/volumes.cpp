// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/volumes.h"

#include <cmath>

#include "sturm/core/parallel.h"

namespace sturm::python {
namespace {

template <class Real>
using Array = nb::ndarray<const Real, nb::device::cpu>;

/// Keeps an array alive until its numbers are let go, on whatever thread that is.
std::shared_ptr<const void> kept(const nb::object& array) {
  auto* const held = new nb::object(array);
  return {held, [](const void* p) {
            const nb::gil_scoped_acquire gil;
            delete static_cast<const nb::object*>(p);
          }};
}

/// Copies the samples of a block of voxels at a time, so that neither side is read in long jumps. `from(v)` is where
/// the voxel v of the first sample stands, and samples are `step` numbers apart.
template <class Real, class From>
AlignedVector<Real> gathered(Index samples, Index voxels, std::int64_t step, const From& from) {
  AlignedVector<Real> out(checked_product(samples, voxels));
  constexpr Index block = 64;
  const Index blocks = (voxels + block - 1) / block;
  parallel_for(blocks, [&](Index b, int) {
    const Index first = b * block, last = std::min(voxels, first + block);
    for (Index m = 0; m < samples; ++m)
      for (Index v = first; v < last; ++v) out[v * samples + m] = from(v)[m * step];
  });
  return out;
}

template <class Real>
Volumes box_volumes(const Array<Real>& x, const nb::object& object) {
  if (x.ndim() != 4) throw Error("volumes have four axes, samples first");
  const auto extent = [&](int axis) { return static_cast<Index>(x.shape(axis)); };
  const Shape box = Shape{extent(1), extent(2), extent(3)}.check();
  const Index samples = extent(0);
  if (samples < 1) throw Error("there are no samples");
  const bool in_order = x.stride(0) == 1 && (box.n1 == 1 || x.stride(1) == samples) &&
                        (box.n2 == 1 || x.stride(2) == samples * box.n1) &&
                        (box.n3 == 1 || x.stride(3) == samples * box.n1 * box.n2);
  if (in_order || (samples == 1 && x.stride(1) == 1 && x.stride(2) == box.n1 && x.stride(3) == box.n1 * box.n2))
    return {Design<Real>(box, samples, {x.data(), static_cast<std::size_t>(samples * box.size())}, kept(object)), true};
  const Real* const data = x.data();
  const std::int64_t s1 = x.stride(1), s2 = x.stride(2), s3 = x.stride(3), s0 = x.stride(0);
  const nb::gil_scoped_release free;
  return {Design<Real>::owning(box, samples,
                               gathered<Real>(samples, box.size(), s0,
                                              [&](Index v) {
                                                return data + v % box.n1 * s1 + v / box.n1 % box.n2 * s2 +
                                                       v / box.slice() * s3;
                                              })),
          false};
}

/// Columns are the voxels of the mask in tensor order; `order[v]` is the column of x that has voxel v.
template <class Real>
Volumes mask_volumes(const Array<Real>& x, const nb::object& object, const std::vector<Index>& shape,
                     const nb::bytes& mask, const std::vector<Index>& order) {
  if (x.ndim() != 2 || shape.size() != 3) throw Error("voxels of a mask stand in an array of two axes");
  const Shape box = Shape{shape[0], shape[1], shape[2]}.check();
  const auto* const bytes = static_cast<const std::uint8_t*>(mask.data());
  const Region region(box, std::span(bytes, mask.size()));
  const auto samples = static_cast<Index>(x.shape(0));
  if (samples < 1) throw Error("there are no samples");
  if (static_cast<Index>(x.shape(1)) != region.size())
    throw Error("X has another number of columns than the mask has voxels");
  const Real* const data = x.data();
  const std::int64_t step = x.stride(0), apart = x.stride(1);
  if (order.empty() && step == 1 && (apart == samples || region.size() == 1))
    return {Design<Real>(region, samples, {data, static_cast<std::size_t>(samples * region.size())}, kept(object)),
            true};
  const nb::gil_scoped_release free;
  return {Design<Real>::owning(region, samples,
                               gathered<Real>(samples, region.size(), step,
                                              [&](Index v) { return data + (order.empty() ? v : order[v]) * apart; })),
          false};
}

}  // namespace

void bind_volumes(nb::module_& module) {
  nb::class_<Volumes>(module, "Volumes", "Samples that lie in memory as the solver reads them.")
      .def_static(
          "of_boxes", [](const Array<float>& x, const nb::object& o) { return box_volumes(x, o); }, nb::arg("x"),
          nb::arg("owner"))
      .def_static(
          "of_boxes", [](const Array<double>& x, const nb::object& o) { return box_volumes(x, o); }, nb::arg("x"),
          nb::arg("owner"))
      .def_static("of_columns",
                  [](const Array<float>& x, const nb::object& o, const std::vector<Index>& shape, const nb::bytes& mask,
                     const std::vector<Index>& order) { return mask_volumes(x, o, shape, mask, order); })
      .def_static("of_columns", [](const Array<double>& x, const nb::object& o, const std::vector<Index>& shape,
                                   const nb::bytes& mask,
                                   const std::vector<Index>& order) { return mask_volumes(x, o, shape, mask, order); })
      .def("masked",
           [](const Volumes& v, const nb::bytes& mask) {
             const auto* const bytes = static_cast<const std::uint8_t*>(mask.data());
             const std::vector<std::uint8_t> kept(bytes, bytes + mask.size());
             const nb::gil_scoped_release free;
             return std::visit([&](const auto& design) { return Volumes{masked(design, kept), false}; }, v.design);
           })
      .def_prop_ro("in_place", [](const Volumes& v) { return v.in_place; })
      .def_prop_ro("samples", &Volumes::samples)
      .def_prop_ro("voxels", [](const Volumes& v) { return v.region().size(); })
      .def_prop_ro("shape", [](const Volumes& v) {
        const Shape& s = v.region().box();
        return std::vector<Index>{s.n1, s.n2, s.n3};
      });
}

}  // namespace sturm::python
