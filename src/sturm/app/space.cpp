// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/space.h"

#include "sturm/imaging/resize.h"

namespace sturm {

ModelGrid to_model_grid(const Space& space, const Shape& coef) {
  ModelGrid out{space.grid.shape, {}, space.resize, {}};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) out.affine[4 * r + c] = space.grid.affine.rows[r][c];
  if (coef != space.grid.shape) out.mask = space.mask;
  return out;
}

Space to_space(const SavedModel& saved) {
  const ModelGrid& grid = saved.grid.value();
  Space out{{grid.shape, {}}, grid.resize, grid.mask};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) out.grid.affine.rows[r][c] = grid.affine[4 * r + c];
  if (saved.shape == grid.shape) out.mask = saved.mask;
  return out;
}

Tensor coef_on_grid(const Tensor& coef, const Space& space) {
  if (coef.shape() == space.grid.shape) return coef;
  Tensor out = Resizer(space.grid.shape, coef.shape()).adjoint(coef);
  if (!space.mask.empty())
    for (Index v = 0; v < out.shape().size(); ++v)
      if (!space.mask[v]) out.data()[v] = 0;
  return out;
}

Tensor pattern_on_grid(const Tensor& pattern, const Space& space) {
  const Shape &coarse = pattern.shape(), &fine = space.grid.shape;
  if (coarse == fine) return pattern;
  Tensor out(fine);
  for (Index k = 0; k < fine.n3; ++k)
    for (Index j = 0; j < fine.n2; ++j)
      for (Index i = 0; i < fine.n1; ++i) {
        if (!space.mask.empty() && !space.mask[i + fine.n1 * (j + fine.n2 * k)]) continue;
        out(i, j, k) = pattern((2 * i + 1) * coarse.n1 / (2 * fine.n1), (2 * j + 1) * coarse.n2 / (2 * fine.n2),
                               (2 * k + 1) * coarse.n3 / (2 * fine.n3));
      }
  return out;
}

}  // namespace sturm
