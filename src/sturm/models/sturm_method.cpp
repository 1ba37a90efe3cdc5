// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/sturm_method.h"

#include "sturm/models/kernel_tasks.h"
#include "sturm/models/linear_fitted.h"

namespace sturm {
namespace {

template <class Real>
class SturmMethod : public Method<Real> {
 public:
  std::string name() const override { return "sturm"; }
  std::string title() const override { return "Sturm: tubal nuclear norm and l1 norm"; }
  std::string reference() const override { return "Li, Lou, Zhou and Lu 2018, arXiv:1812.01496"; }
  std::vector<Parameter> parameters() const override {
    return {{"tau", "weight of the tubal nuclear norm"}, {"gamma", "weight of the l1 norm"}};
  }

  std::vector<std::vector<double>> grid(const FitData<Real>&, const FitTask&, GridKind) const override {
    const std::vector<double> paper = {1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000};
    return every_combination({paper, paper});
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_settings(*this, tasks);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      SturmOptions o;
      o.tau = tasks[t].setting[0];
      o.gamma = tasks[t].setting[1];
      o.alpha = options.alpha;
      o.intercept = data.intercept;
      o.normalize = data.normalize;
      o.solver = options.solver;
      SturmFit found = fit_sturm(data.design, tasks[t].y, tasks[t].weights, data.mask, o, options.progress);
      std::vector<double> values = decision_values(found.model, data.design);
      auto model = std::make_unique<LinearFitted<Real>>(std::move(found.model), std::move(values));
      model->report = std::move(found.report);
      take(static_cast<Index>(t), std::move(model));
    }
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_sturm() {
  return std::make_unique<SturmMethod<Real>>();
}
template std::unique_ptr<Method<float>> make_sturm();
template std::unique_ptr<Method<double>> make_sturm();

}  // namespace sturm
