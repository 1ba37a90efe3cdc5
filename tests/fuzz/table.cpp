// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/table.h"

#include <cmath>

#include "memory_file.h"
#include "sturm/core/error.h"
#include "sturm/core/target.h"
#include "targets.h"

namespace sturm::fuzz {

void table(std::string_view bytes) {
  try {
    const Table table = Table::parse(bytes, "a.tsv");
    for (Index c = 0; c < static_cast<Index>(table.columns().size()); ++c) {
      require(table.column(table.columns()[c]) == c);
      require(static_cast<Index>(table.texts(c).size()) == table.rows());
      if (table.numeric(c)) {
        const std::vector<double> numbers = table.numbers(c);
        for (Index row = 0; row < table.rows(); ++row) require(std::isnan(numbers[row]) == table.missing(row, c));
      }
      for (Index row = 0; row < table.rows(); ++row) require(table.place(row, c).line > 1);
      table.meant_as_numbers(c);
      rows_without(table, table.columns()[c]);
    }
    const Target target =
        read_target(table, {.column = table.columns()[0], .positive = table.rows() > 0 ? table.cell(0, 0) : "x"});
    notes_on_target(table, target);
  } catch (const Error&) {
  }
}

}  // namespace sturm::fuzz
