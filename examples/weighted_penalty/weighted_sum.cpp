// SPDX-License-Identifier: BSD-3-Clause
#include "weighted_penalty/weighted_sum.h"

namespace {

std::vector<sturm::Layout> layouts_of(const std::vector<WeightedPart>& parts) {
  std::vector<sturm::Layout> out;
  for (const WeightedPart& part : parts)
    for (int k = 0; k < part.penalty->terms(); ++k) out.push_back(part.penalty->layout(k));
  return out;
}

std::vector<double> weights_of(const std::vector<WeightedPart>& parts) {
  std::vector<double> out;
  for (const WeightedPart& part : parts) out.insert(out.end(), part.weights.begin(), part.weights.end());
  return out;
}

using sturm::TermResult;
using sturm::linalg::Part;

/// The terms are those of the parts, one part after the other; the base class multiplies the weights in.
class WeightedSum final : public sturm::Penalty {
 public:
  explicit WeightedSum(std::vector<WeightedPart> parts)
      : Penalty(parts.front().penalty->region(), layouts_of(parts), weights_of(parts)), parts_(std::move(parts)) {
    for (const WeightedPart& part : parts_)
      if (!(part.penalty->region() == region())) throw sturm::Error("all parts of a sum must be over one region");
  }
  std::string name() const override { return "weighted sum"; }

 protected:
  std::vector<TermResult> prox_of(Ops<float>& ops, int term, Part<float> batch, std::span<const double> mus,
                                  Part<float> scratch, double accuracy) const override {
    const auto [part, k] = place(term);
    return part.prox(ops, k, batch, mus, scratch, accuracy);
  }
  std::vector<TermResult> prox_of(Ops<double>& ops, int term, Part<double> batch, std::span<const double> mus,
                                  Part<double> scratch, double accuracy) const override {
    const auto [part, k] = place(term);
    return part.prox(ops, k, batch, mus, scratch, accuracy);
  }
  std::vector<TermResult> norms_of(Ops<float>& ops, int term, Part<const float> batch,
                                   Part<float> scratch) const override {
    const auto [part, k] = place(term);
    return part.norms(ops, k, batch, scratch);
  }
  std::vector<TermResult> norms_of(Ops<double>& ops, int term, Part<const double> batch,
                                   Part<double> scratch) const override {
    const auto [part, k] = place(term);
    return part.norms(ops, k, batch, scratch);
  }
  std::vector<TermResult> proven_of(int term, std::span<const sturm::Tensor> copies, sturm::Proof how) const override {
    const auto [part, k] = place(term);
    return part.proven(k, copies, how);
  }
  double one_voxel_of(int term) const override {
    const auto [part, k] = place(term);
    return part.one_voxel(k);
  }

 private:
  struct Place {
    const Penalty& part;
    int term;
  };
  Place place(int term) const {
    std::size_t i = 0;
    while (term >= parts_[i].penalty->terms()) term -= parts_[i++].penalty->terms();
    return {*parts_[i].penalty, term};
  }
  std::vector<WeightedPart> parts_;
};

}  // namespace

sturm::PenaltyPointer weighted_sum(std::vector<WeightedPart> parts) {
  return std::make_shared<const WeightedSum>(std::move(parts));
}
