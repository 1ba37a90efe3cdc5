// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/mmk_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sturm {
namespace {

[[noreturn]] void refuse(const SafeTensors& content, const std::string& what) {
  throw Error({content.file}, "" + what + "; fit the model again.");
}

std::uint64_t seed_of(const SafeTensors& content) {
  const std::string word = content.word("seed");
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size()) refuse(content, "its metadata 'seed' is not a number");
  return out;
}

std::vector<double> volume(const SafeTensors& content, const std::string& name, const Region& region) {
  const Shape& shape = region.box();
  const Tensor found = to_tensor(content.array(name), content.file + ", " + name);
  if (found.shape() != shape || !std::ranges::all_of(found.flat(), [](double v) { return std::isfinite(v); }))
    refuse(content, "'" + name + "' is not a volume of " + to_string(shape) + " finite numbers");
  return region.gather<double>(found.flat());
}

}  // namespace

void store_mmk(const MmkModel& model, SafeTensors& content) {
  const CpRecipe& recipe = model.recipe;
  const Shape& shape = recipe.region.box();
  const Index rank = recipe.cp.rank, length = shape.n1 + shape.n2 + shape.n3;
  const auto count = static_cast<Index>(model.support.size());
  Tensor terms(Shape{std::max<Index>(count, 1), rank, length});
  for (Index k = 0; k < count; ++k)
    for (Index r = 0; r < rank; ++r)
      for (Index i = 0; i < length; ++i) terms(k, r, i) = model.support[k].term(r)[i];
  std::vector<double> coef = model.coef;
  if (coef.empty()) coef.push_back(0);
  const double kernel[] = {recipe.width, recipe.cut};
  content.arrays["support_terms"] = stored(terms);
  content.arrays["support_coef"] = stored(coef);
  content.arrays["sigma"] = stored(std::span(&model.sigma, 1));
  content.arrays["intercept"] = stored(std::span(&model.intercept, 1));
  content.arrays["position_kernel"] = stored(kernel);
  const std::vector<std::uint8_t> everywhere(recipe.region.whole() ? shape.size() : 0, 1);
  content.arrays["mask"] = stored(recipe.region.whole() ? everywhere : recipe.region.mask(), shape);
  if (!recipe.scale.mean.empty()) {
    content.arrays["voxel_mean"] = stored(recipe.region.spread<double>(recipe.scale.mean));
    content.arrays["voxel_scale"] = stored(recipe.region.spread<double>(recipe.scale.inverse));
  }
  content.metadata["seed"] = std::to_string(recipe.cp.seed);
}

MmkModel load_mmk(const SafeTensors& content, Normalize normalize, const Shape& shape,
                  const std::vector<std::uint8_t>& mask) {
  const auto numbers = [&](const char* name, Index count) {
    return to_numbers(content.array(name), count, content.file + ", " + name);
  };
  const Tensor terms = to_tensor(content.array("support_terms"), content.file + ", support_terms");
  const auto [count, rank, length] = terms.shape();
  if (length != shape.n1 + shape.n2 + shape.n3 || rank > 1000 ||
      !std::ranges::all_of(terms.flat(), [](double v) { return std::isfinite(v); }))
    refuse(content, "'support_terms' are not finite vectors of volumes of " + to_string(shape));
  MmkModel out;
  CpRecipe& recipe = out.recipe;
  recipe.region = Region(shape, mask);
  recipe.normalize = normalize;
  recipe.cp.rank = rank;
  recipe.cp.seed = seed_of(content);
  const std::vector<double> kernel = numbers("position_kernel", 2);
  recipe.width = kernel[0];
  recipe.cut = kernel[1];
  if (!(recipe.width >= 0 && recipe.cut >= 0 && recipe.cut < 1))
    refuse(content, "'position_kernel' is not a width and a cut");
  if (normalize == Normalize::voxel)
    recipe.scale = {volume(content, "voxel_mean", recipe.region), volume(content, "voxel_scale", recipe.region)};
  out.coef = numbers("support_coef", count);
  out.sigma = numbers("sigma", 1)[0];
  out.intercept = numbers("intercept", 1)[0];
  if (!(out.sigma > 0)) refuse(content, "its 'sigma' is not positive");
  for (Index k = 0; k < count; ++k) {
    CpFeatures one{rank, {}};
    for (Index r = 0; r < rank; ++r)
      for (Index i = 0; i < length; ++i) one.terms.push_back(terms(k, r, i));
    out.support.push_back(std::move(one));
  }
  return out;
}

}  // namespace sturm
