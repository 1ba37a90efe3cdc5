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

}  // namespace

void store_rbf(const RbfModel<double>& model, SafeTensors& content) {
  const Shape& shape = model.volumes.shape();
  const Index count = model.volumes.samples(), voxels = shape.size();
  const bool narrow =
      std::ranges::all_of(model.volumes.x(), [](double v) { return static_cast<double>(static_cast<float>(v)) == v; });
  StoredArray support{narrow ? "F32" : "F64", {count, shape.n1, shape.n2, shape.n3}, {}};
  for (Index k = 0; k < count; ++k) {
    std::vector<double> values(model.volumes.voxels());
    for (Index v = 0; v < model.volumes.voxels(); ++v) values[v] = model.volumes.column(v)[k];
    const Tensor volume = model.volumes.region().spread<double>(values);
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
  Tensor scale(shape);
  for (std::size_t k = 0; k < model.space.voxels.size(); ++k)
    scale.data()[model.volumes.region().voxel(model.space.voxels[k])] = model.space.scale_of(k);
  std::vector<double> coef = model.coef;
  if (coef.empty()) coef.push_back(0);
  content.arrays["support"] = std::move(support);
  content.arrays["support_coef"] = stored(coef);
  content.arrays["sigma"] = stored(std::span(&model.sigma, 1));
  content.arrays["intercept"] = stored(std::span(&model.intercept, 1));
  content.arrays["voxel_scale"] = stored(scale);
}

RbfModel<double> load_rbf(const SafeTensors& content, Normalize normalize, const std::vector<std::uint8_t>& mask) {
  const StoredArray& support = content.array("support");
  if (support.shape.size() != 4 || support.type == "U8" || support.shape[0] < 1)
    throw Error({content.file}, "'support' is not an array of volumes.");
  const Index count = support.shape[0];
  const Shape shape = Shape{support.shape[1], support.shape[2], support.shape[3]}.check();
  const std::size_t bytes = support.bytes.size() / static_cast<std::size_t>(count);
  AlignedVector<double> x(checked_product(count, shape.size()));
  for (Index k = 0; k < count; ++k) {
    const StoredArray one{
        support.type, {shape.n1, shape.n2, shape.n3}, support.bytes.substr(static_cast<std::size_t>(k) * bytes, bytes)};
    const Tensor volume = to_tensor(one, content.file + ", support");
    for (Index v = 0; v < shape.size(); ++v) x[v * count + k] = volume.data()[v];
  }
  if (!finite(x)) throw Error({content.file}, "holds support vectors that are not finite; fit the model again.");
  const auto numbers = [&](const char* name, Index length) {
    return to_numbers(content.array(name), length, content.file + ", " + name);
  };
  const Region region(shape, mask);
  RbfModel<double> out{part_of(Design<double>::owning(shape, count, std::move(x)), {}, region),
                       {},
                       numbers("support_coef", count),
                       numbers("sigma", 1)[0],
                       numbers("intercept", 1)[0],
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
