// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/stored_model.h"

namespace sturm {

Model<double> with_short_coefficients(const Model<double>& model) {
  if (!model.has_map()) return model;
  LinearModel map = model.map();
  for (double& c : map.coef.flat()) c = static_cast<double>(static_cast<float>(c));
  return Model<double>(std::move(map));
}

SavedModel put_together(std::vector<SavedPart> parts, const Shape& shape, Normalize normalize,
                        std::vector<std::uint8_t> mask) {
  SavedModel out{.shape = shape, .normalize = normalize, .mask = std::move(mask)};
  if (parts.size() == 1 && parts.front().model.has_map()) {
    out.normalize = parts.front().model.map().normalize;
    out.mask = parts.front().model.map().mask;
  }
  out.parts = std::move(parts);
  return out;
}

template <class Real>
std::vector<double> decisions_of(const SavedModel& saved, const Design<Real>& raw, const Confounds& confounds) {
  const Design<Real> read = part_of(raw, {}, Region(saved.shape, voxels_read(saved)));
  if (saved.confounds.empty()) return decision_values(saved, read);
  return decision_values(saved, without_confounds(read, confounds, saved.confounds, Region(saved.shape, saved.mask)));
}

template std::vector<double> decisions_of(const SavedModel&, const Design<float>&, const Confounds&);
template std::vector<double> decisions_of(const SavedModel&, const Design<double>&, const Confounds&);

}  // namespace sturm
