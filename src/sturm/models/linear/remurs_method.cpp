// SPDX-License-Identifier: BSD-3-Clause
// Remurs: the nuclear norms of the three unfoldings and the l1 norm.
#include "sturm/models/linear/penalised_method.h"

namespace sturm {
namespace {

template <class Real>
class Remurs final : public PenalisedMethod<Real> {
 public:
  std::string name() const override { return "remurs"; }
  double cost() const override { return 320; }
  std::string title() const override { return "Remurs: nuclear norms of the unfoldings and l1 norm"; }
  std::string reference() const override {
    return "Song and Lu (2017), Multilinear regression for embedded feature selection with application to fMRI "
           "analysis, AAAI";
  }

 protected:
  PenaltyPointer penalty(const Region& region) const override { return overlapped_nuclear_norm(region); }
  double automatic_alpha(const Shape&) const override { return 1; }
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_remurs() {
  return std::make_unique<Remurs<Real>>();
}

template std::unique_ptr<Method<float>> make_remurs();
template std::unique_ptr<Method<double>> make_remurs();

}  // namespace sturm
