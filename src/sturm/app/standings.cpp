// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/standings.h"

#include <fmt/core.h>

#include "sturm/eval/scores.h"

namespace sturm {

void Standings::add(const CvTask& task, std::string_view payload) {
  if (task.fold < 0 || task.first > 0 || !task.whole()) return;
  std::vector<double> actual;
  for (const Index row : plan_.test(task.fold)) actual.push_back(facts_.keys.y[row]);
  for (const FoldOutcome& outcome : decode(payload, task.id))
    add(outcome.method, score(facts_.score, actual, outcome.decision), std::ssize(actual));
}

void Standings::add(const std::string& method, double score, Index predictions) {
  Place& place = places_[method];
  place.scores.push_back(score);
  place.predictions += predictions;
}

std::string Standings::best() const {
  std::string name;
  double highest = 0;
  int known = 0;
  for (const auto& [method, place] : places_) {
    if (place.predictions < enough_predictions) continue;
    const double mean = mean_sd(place.scores).mean;
    if (known++ == 0 || mean > highest) {
      highest = mean;
      name = method;
    }
  }
  return known < 2 ? "" : fmt::format("  best so far: {} {:.2f}", name, highest);
}

}  // namespace sturm
