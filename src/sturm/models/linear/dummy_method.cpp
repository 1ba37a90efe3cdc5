// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/dummy_method.h"

#include "sturm/models/linear/linear_fitted.h"
#include "sturm/models/linear/linear_fold.h"
#include "sturm/models/linear/preparation.h"
#include "sturm/models/training_statistics.h"

namespace sturm {
namespace {

template <class Real>
class DummyMethod : public Method<Real> {
 public:
  std::string name() const override { return "dummy"; }
  std::string title() const override { return "Mean label"; }
  bool is_baseline() const override { return true; }
  std::string reference() const override { return "none: what any method has to beat"; }
  std::vector<Parameter> parameters() const override { return {}; }
  std::vector<std::vector<double>> grid(const FitData<Real>&, const FitTask&, GridKind) const override { return {{}}; }

  /// An intercept is all there is, whether the data ask for one or not.
  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions&,
           const typename Method<Real>::Take& take) const override {
    const double alpha = loss_weight(data.alpha, data.design.shape());
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      require_task(data, tasks[t], {});
      const auto& given = tasks[t].weights;
      const RowMap rows(training_weights(given, data.design.samples()), true);
      const std::vector<double> y = counted_labels(tasks[t]);
      const double mean = rows.mean(y);
      std::vector<double> coef(data.design.voxels()), values(data.design.samples(), mean);
      auto model = std::make_unique<LinearFitted<Real>>(data.design.region(), std::move(coef), mean, Normalize::none,
                                                        std::move(values));
      FitReport& r = model->report;
      r.alpha = alpha;
      for (const double rest : rows.apply(y)) r.objective += alpha / 2 * rest * rest;
      r.dual = r.objective;
      r.sparsity = r.sparsity_in_mask = 1;
      r.intercept = mean;
      for (const double w : rows.weights()) r.samples += w > 0;
      r.status = Status::zero_solution;
      take(static_cast<Index>(t), std::move(model));
    }
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_dummy() {
  return std::make_unique<DummyMethod<Real>>();
}

template std::unique_ptr<Method<float>> make_dummy();
template std::unique_ptr<Method<double>> make_dummy();

}  // namespace sturm
