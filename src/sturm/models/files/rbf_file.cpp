// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/rbf_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sturm {
namespace {

bool finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

bool all_floats(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return static_cast<double>(static_cast<float>(v)) == v; });
}

std::vector<double> sample_of(const Design<double>& x, Index sample) {
  std::vector<double> out(x.voxels());
  for (Index v = 0; v < x.voxels(); ++v) out[v] = x.column(v)[sample];
  return out;
}

/// All but the support vectors.
void store_rest(const RbfModel<double>& model, SafeTensors& content) {
  Tensor scale(model.volumes.shape());
  for (std::size_t k = 0; k < model.space.voxels.size(); ++k)
    scale.data()[model.volumes.region().voxel(model.space.voxels[k])] = model.space.scale_of(k);
  std::vector<double> coef = model.coef;
  if (coef.empty()) coef.push_back(0);
  content.arrays["support_coef"] = stored(coef);
  content.arrays["sigma"] = stored(std::span(&model.sigma, 1));
  content.arrays["intercept"] = stored(std::span(&model.intercept, 1));
  content.arrays["voxel_scale"] = stored(scale);
}

/// The support vectors of store_rbf() or store_compact_rbf(), with the columns of the mask.
Design<double> support_of(const SafeTensors& content, const std::vector<std::uint8_t>& mask) {
  const bool compact = content.arrays.contains("support_columns");
  const StoredArray& support = content.array(compact ? "support_columns" : "support");
  if (support.shape.size() != (compact ? 2 : 4) || support.type == "U8" || support.shape[0] < 1)
    throw Error({content.file}, "'support' is not an array of volumes.");
  const Index count = support.shape[0];
  if (compact) {
    const Tensor scale = to_tensor(content.array("voxel_scale"), content.file + ", voxel_scale");
    const Region region(scale.shape(), mask);
    if (support.shape[1] != region.size())
      throw Error({content.file}, "'support_columns' is not of the mask's voxels.");
    AlignedVector<double> x(checked_product(count, region.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      float narrow = 0;
      const bool wide = support.type == "F64";
      std::memcpy(wide ? static_cast<void*>(&x[i]) : &narrow, support.bytes.data() + i * (wide ? 8 : 4), wide ? 8 : 4);
      if (!wide) x[i] = static_cast<double>(narrow);
    }
    return Design<double>::owning(region, count, std::move(x));
  }
  const Shape shape = Shape{support.shape[1], support.shape[2], support.shape[3]}.check();
  const std::size_t bytes = support.bytes.size() / static_cast<std::size_t>(count);
  AlignedVector<double> x(checked_product(count, shape.size()));
  for (Index k = 0; k < count; ++k) {
    const StoredArray one{
        support.type, {shape.n1, shape.n2, shape.n3}, support.bytes.substr(static_cast<std::size_t>(k) * bytes, bytes)};
    const Tensor volume = to_tensor(one, content.file + ", support");
    for (Index v = 0; v < shape.size(); ++v) x[v * count + k] = volume.data()[v];
  }
  return part_of(Design<double>::owning(shape, count, std::move(x)), {}, Region(shape, mask));
}

}  // namespace

void store_rbf(const RbfModel<double>& model, SafeTensors& content) {
  const Shape& shape = model.volumes.shape();
  const Index count = model.volumes.samples(), voxels = shape.size();
  const bool narrow = all_floats(model.volumes.x());
  StoredArray support{narrow ? "F32" : "F64", {count, shape.n1, shape.n2, shape.n3}, {}};
  for (Index k = 0; k < count; ++k) {
    const Tensor volume = model.volumes.region().spread<double>(sample_of(model.volumes, k));
    std::string bytes = stored(volume).bytes;
    if (narrow) {
      for (Index v = 0; v < voxels; ++v) {
        double wide = 0;
        std::memcpy(&wide, bytes.data() + v * 8, 8);
        const auto value = static_cast<float>(wide);
        std::memcpy(bytes.data() + v * 4, &value, 4);
      }
      bytes.resize(voxels * 4);
    }
    support.bytes += bytes;
  }
  content.arrays["support"] = std::move(support);
  store_rest(model, content);
}

void store_compact_rbf(const RbfModel<double>& model, SafeTensors& content) {
  const std::span<const double> x = model.volumes.x();
  StoredArray columns{all_floats(x) ? "F32" : "F64", {model.volumes.samples(), model.volumes.voxels()}, {}};
  columns.bytes.resize(x.size() * (columns.type == "F32" ? 4 : 8));
  for (std::size_t i = 0; i < x.size(); ++i) {  // as they lie in the design
    const auto narrow = static_cast<float>(x[i]);
    if (columns.type == "F32")
      std::memcpy(columns.bytes.data() + 4 * i, &narrow, 4);
    else
      std::memcpy(columns.bytes.data() + 8 * i, &x[i], 8);
  }
  content.arrays["support_columns"] = std::move(columns);
  store_rest(model, content);
}

RbfModel<double> load_rbf(const SafeTensors& content, Normalize normalize, const std::vector<std::uint8_t>& mask) {
  Design<double> support = support_of(content, mask);
  const Index count = support.samples();
  const Shape shape = support.shape();
  const Region region = support.region();
  if (!finite(support.x()))
    throw Error({content.file}, "holds support vectors that are not finite; fit the model again.");
  const auto numbers = [&](const char* name, Index length) {
    return to_numbers(content.array(name), length, content.file + ", " + name);
  };
  RbfModel<double> out{
      std::move(support), {}, numbers("support_coef", count), numbers("sigma", 1)[0], numbers("intercept", 1)[0],
      {{}, {}, normalize}};
  for (Index k = 0; k < count; ++k) out.rows.push_back(k);
  if (!(out.sigma > 0)) throw Error({content.file}, "its 'sigma' is not positive; fit the model again.");
  const Tensor scale = to_tensor(content.array("voxel_scale"), content.file + ", voxel_scale");
  if (scale.shape() != shape || !finite(scale.flat()))
    throw Error({content.file}, "'voxel_scale' is not a volume of " + to_string(shape) + " finite numbers.");
  for (Index v = 0; v < region.size(); ++v) {
    const double of_voxel = scale.data()[region.voxel(v)];
    if (of_voxel == 0) continue;
    out.space.voxels.push_back(v);
    out.space.scale.push_back(of_voxel);
  }
  if (out.space.voxels.empty()) throw Error({content.file}, "its 'voxel_scale' leaves no voxel; fit the model again.");
  return out;
}

}  // namespace sturm
