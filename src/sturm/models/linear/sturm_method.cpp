// SPDX-License-Identifier: BSD-3-Clause
// Sturm: the tubal nuclear norm and the l1 norm.
#include "sturm/models/linear/linear_settings.h"
#include "sturm/models/linear/penalised_method.h"

namespace sturm {
namespace {

template <class Real>
class Sturm final : public PenalisedMethod<Real> {
 public:
  std::string name() const override { return "sturm"; }
  double cost() const override { return 440; }
  std::string title() const override { return "Sturm: tubal nuclear norm and l1 norm"; }
  std::string reference() const override {
    return "Li, Lou, Zhou and Lu (2018), Sturm: sparse tubal-regularized multilinear regression for fMRI, "
           "arXiv:1812.01496";
  }

 protected:
  PenaltyPointer penalty(const Region& region) const override { return tubal_nuclear_norm(region); }
  double automatic_alpha(const Shape& shape) const override { return loss_weight(0, shape); }
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_sturm() {
  return std::make_unique<Sturm<Real>>();
}

template std::unique_ptr<Method<float>> make_sturm();
template std::unique_ptr<Method<double>> make_sturm();

}  // namespace sturm
