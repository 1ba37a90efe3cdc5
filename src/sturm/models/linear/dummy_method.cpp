// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/dummy_method.h"

#include "sturm/models/linear/linear_settings.h"
#include "sturm/models/training_set.h"

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
    require_tasks(*this, data, tasks);
    FitData<Real> centred = data;
    centred.intercept = true;
    const TrainingSets<Real> study(centred);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const TrainingSet<Real>& set = study.of(tasks[t].weights);
      const std::vector<double> y = counted_labels(tasks[t]);
      const double mean = set.rows().mean(y);
      std::vector<double> coef(data.design.voxels()), values(data.design.samples(), mean);
      auto model = fitted_map<Real>(data.design.region(), std::move(coef), mean, Normalize::none, std::move(values));
      FitReport& r = model->report;
      r.alpha = alpha;
      for (const double rest : set.rows().apply(y)) r.objective += alpha / 2 * rest * rest;
      r.dual = r.objective;
      r.samples = set.samples();
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
