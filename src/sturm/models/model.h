// SPDX-License-Identifier: BSD-3-Clause
// A model of any kind: what every method ends in, a model file holds, and predictions are made with.
#pragma once

#include <variant>

#include "sturm/models/kernel/rbf_model.h"
#include "sturm/models/linear/linear_model.h"
#include "sturm/models/multiway/mmk_model.h"

namespace sturm {

/// Coefficients, support volumes, or CP vectors of support volumes. A new kind is a type here, and its decision values.
template <class Real>
class Model {
 public:
  using Kind = std::variant<LinearModel, RbfModel<Real>, MmkModel>;
  Model();  ///< a map of one voxel, until there is another
  explicit Model(LinearModel model);
  explicit Model(RbfModel<Real> model);
  explicit Model(MmkModel model);
  Model(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(const Model& other);
  Model& operator=(Model&& other) noexcept;
  ~Model();

  const Kind& kind() const { return kind_; }
  bool has_map() const { return std::holds_alternative<LinearModel>(kind_); }
  const LinearModel& map() const { return std::get<LinearModel>(kind_); }  ///< throws where it has none

  Shape shape() const;  ///< of the volumes
  double intercept() const;
  Index support() const;  ///< how many volumes it compares others with; 0 where it has a map

 private:
  Kind kind_;
};

/// One per sample. The model may be of another precision than the volumes. Throws where they are of another shape.
template <class Held, class Real>
std::vector<double> decision_values(const Model<Held>& model, const Design<Real>& x);

/// The same model in double, and without volumes that it does not need: as it is kept when the study is gone.
template <class Real>
Model<double> standing_alone(const Model<Real>& model);

}  // namespace sturm
