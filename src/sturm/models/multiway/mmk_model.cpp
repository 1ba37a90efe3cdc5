// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/mmk_model.h"

#include "sturm/core/parallel.h"
#include "sturm/models/multiway/prepared_volumes.h"
#include "sturm/models/preparation.h"

namespace sturm {

template <class Real>
std::vector<CpFeatures> CpRecipe::features(const Design<Real>& volumes) const {
  const ModeKernels kernels = width > 0 ? position_kernels(region.box(), width, cut) : ModeKernels();
  std::vector<CpFeatures> out(volumes.samples());
  parallel_for(volumes.samples(),
               [&](Index m, int) { out[m] = features_of(sturm::cp(volume_of(volumes, m, scale), cp, kernels)); });
  return out;
}

template <class Real>
std::vector<double> decision_values(const MmkModel& model, const Design<Real>& x) {
  const CpRecipe& recipe = model.recipe;
  if (x.shape() != recipe.region.box())
    throw Error("the model is for volumes of " + to_string(recipe.region.box()) + " and these are " +
                to_string(x.shape()));
  std::vector<double> out(x.samples(), model.intercept);
  const auto count = static_cast<Index>(model.support.size());
  if (count == 0) return out;
  const auto features = recipe.features(prepared(part_of(x, {}, recipe.region), recipe.normalize));
  const std::vector<double> kernel =
      structure_kernel(term_distances(model.support, features), count, x.samples(), recipe.cp.rank, model.sigma);
  for (Index k = 0; k < count; ++k)
    for (Index i = 0; i < x.samples(); ++i) out[i] += kernel[k + i * count] * model.coef[k];
  return out;
}

#define STURM_INSTANTIATE(Real)                                                   \
  template std::vector<CpFeatures> CpRecipe::features(const Design<Real>&) const; \
  template std::vector<double> decision_values(const MmkModel&, const Design<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
