// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/model.h"

#include <type_traits>

namespace sturm {
namespace {

Shape shape_of(const LinearModel& model) { return model.coef.shape(); }
template <class Real>
Shape shape_of(const RbfModel<Real>& model) {
  return model.volumes.shape();
}
Shape shape_of(const MmkModel& model) { return model.recipe.region.box(); }

template <class Real>
std::vector<double> values_of(const LinearModel& model, const Design<Real>& x) {
  return decision_values(model, x);
}
template <class Real>
std::vector<double> values_of(const MmkModel& model, const Design<Real>& x) {
  return decision_values(model, x);
}
template <class Held, class Real>
std::vector<double> values_of(const RbfModel<Held>& model, const Design<Real>& x) {
  if constexpr (std::is_same_v<Held, Real>)
    return decision_values(model, x);
  else
    return decision_values(support_alone<Real>(model), x);
}

}  // namespace

template <class Real>
Model<Real>::Model() = default;
template <class Real>
Model<Real>::Model(LinearModel model) : kind_(std::move(model)) {}
template <class Real>
Model<Real>::Model(RbfModel<Real> model) : kind_(std::move(model)) {}
template <class Real>
Model<Real>::Model(MmkModel model) : kind_(std::move(model)) {}
template <class Real>
Model<Real>::Model(const Model& other) = default;
template <class Real>
Model<Real>::Model(Model&& other) noexcept = default;
template <class Real>
Model<Real>& Model<Real>::operator=(const Model& other) = default;
template <class Real>
Model<Real>& Model<Real>::operator=(Model&& other) noexcept = default;
template <class Real>
Model<Real>::~Model() = default;

template <class Real>
Shape Model<Real>::shape() const {
  return std::visit([](const auto& model) { return shape_of(model); }, kind_);
}

template <class Real>
double Model<Real>::intercept() const {
  return std::visit([](const auto& model) { return model.intercept; }, kind_);
}

template <class Real>
Index Model<Real>::support() const {
  if (const auto* rbf = std::get_if<RbfModel<Real>>(&kind_)) return std::ssize(rbf->rows);
  if (const auto* mmk = std::get_if<MmkModel>(&kind_)) return std::ssize(mmk->support);
  return 0;
}

template <class Held, class Real>
std::vector<double> decision_values(const Model<Held>& model, const Design<Real>& x) {
  return std::visit([&](const auto& kind) { return values_of(kind, x); }, model.kind());
}

template <class Real>
Model<double> standing_alone(const Model<Real>& model) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, RbfModel<Real>>)
          return Model<double>(support_alone<double>(kind));
        else
          return Model<double>(kind);
      },
      model.kind());
}

#define STURM_INSTANTIATE(Real)                                                            \
  template class Model<Real>;                                                              \
  template std::vector<double> decision_values(const Model<Real>&, const Design<float>&);  \
  template std::vector<double> decision_values(const Model<Real>&, const Design<double>&); \
  template Model<double> standing_alone(const Model<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
