// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/paper_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sturm {

std::string with_minus(std::string number) {
  if (number.starts_with('-')) number.replace(0, 1, "−");
  return number;
}

Axis paper_axis(std::vector<double> values, double first, double last, bool share) {
  if (values.empty()) values = {0, 1};
  const auto [low, high] = std::ranges::minmax(values);
  const double room = std::max(0.05 * (high - low), 1e-3);
  Axis axis{low - room, high + room, first, last};
  if (!share) return axis;
  axis.low = std::max(0.0, std::floor(20 * axis.low) / 20);
  axis.high = std::min(1.0, std::ceil(20 * axis.high) / 20);
  if (axis.high <= axis.low) return {0, 1, first, last};
  return axis;
}

void paper_x_axis(Drawing& drawing, const Axis& x, double bottom, double top, const std::string& label, double unit) {
  for (const double tick : x.ticks(std::clamp(static_cast<int>((x.last - x.first) / 45), 2, 6))) {
    drawing.line(x(tick), bottom, x(tick), top, paper_grid, 0.6);
    drawing.line(x(tick), bottom, x(tick), bottom + 3, paper_line, 0.8);
    drawing.text(x(tick), bottom + 12, with_minus(tick_label(unit * tick)), {.size = paper_small, .anchor = "middle"});
  }
  drawing.line(x.first, bottom, x.last, bottom, paper_line, 0.8);
  drawing.text((x.first + x.last) / 2, bottom + 24, text_within(label, x.last - x.first + 30, paper_text),
               {.size = paper_text, .anchor = "middle"});
}

void paper_y_axis(Drawing& drawing, const Axis& y, double left, double right, const std::string& label, double unit) {
  for (const double tick : y.ticks(std::clamp(static_cast<int>((y.first - y.last) / 28), 2, 6))) {
    drawing.line(left, y(tick), right, y(tick), paper_grid, 0.6);
    drawing.line(left - 3, y(tick), left, y(tick), paper_line, 0.8);
    drawing.text(left - 5, y(tick) + 3, with_minus(tick_label(unit * tick)), {.size = paper_small, .anchor = "end"});
  }
  drawing.line(left, y.first, left, y.last, paper_line, 0.8);
  drawing.text(left - 30, (y.first + y.last) / 2, text_within(label, y.first - y.last + 20, paper_text),
               {.size = paper_text, .anchor = "middle", .turned = -90});
}

void paper_centred(Drawing& drawing, double x, double y, const std::string& words, const Frame& frame) {
  const double half = text_width(words, paper_small) / 2;
  const double least = frame.left + half, most = std::max(least, frame.right() - half);
  drawing.text(std::clamp(x, least, most), y, words, {.size = paper_small, .anchor = "middle", .colour = paper_soft});
}

void PaperLabels::keep_free(double x, double y, double radius) {
  taken_.push_back({x - radius, y - radius, x + radius, y + radius});
}

double PaperLabels::cost(const Box& box) const {
  double sum = 0;
  for (const Box& other : taken_) {
    const double across = std::min(box.right, other.right) - std::max(box.left, other.left);
    const double down = std::min(box.bottom, other.bottom) - std::max(box.top, other.top);
    if (across > 0 && down > 0) sum += across * down;
  }
  const bool outside =
      box.left < area_.left || box.right > area_.right() || box.top < area_.top || box.bottom > area_.bottom();
  return sum + (outside ? 1000 : 0);
}

void PaperLabels::place(Drawing& drawing, double x, double y, const std::string& words, const TextStyle& style) {
  const double wide = text_width(words, style.size, style.bold), tall = 0.75 * style.size;
  double best = std::numeric_limits<double>::infinity(), best_x = x, best_y = y;
  // Near places first, then farther away, on both sides and in the middle.
  for (const double away : {0.0, 8.0, 16.0, 26.0, 38.0})
    for (const auto& [dx, dy] : {std::pair{5.0, tall / 2}, std::pair{-5.0 - wide, tall / 2}, std::pair{-wide / 2, -5.0},
                                 std::pair{-wide / 2, 5 + tall}, std::pair{4.0, -4.0}, std::pair{-4.0 - wide, -4.0},
                                 std::pair{4.0, 4 + tall}, std::pair{-4.0 - wide, 4 + tall}})
      for (const double side : {-1.0, 1.0}) {
        const double left = x + dx, base = y + dy + side * away;
        const double price = cost({left, base - tall, left + wide, base + 1}) + 0.3 * away;
        if (price < best - 1e-9) {
          best = price;
          best_x = left;
          best_y = base;
        }
      }
  taken_.push_back({best_x, best_y - tall, best_x + wide, best_y + 1});
  TextStyle placed = style;
  placed.anchor = "start";
  drawing.text(best_x, best_y, words, placed);
}

}  // namespace sturm
