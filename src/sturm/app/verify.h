// SPDX-License-Identifier: BSD-3-Clause
// A fit's claims, checked from its files and the raw volumes.
#pragma once

#include <string>

#include "sturm/app/events.h"
#include "sturm/app/input.h"
#include "sturm/app/run_settings.h"
#include "sturm/results/verdict.h"

namespace sturm {

struct VerifyRequest {
  std::string folder;  ///< of a fit with a proof
  InputOptions input;  ///< where the samples are now; empty: where they were
  RunSettings run;     ///< memory
};

/// Reads the volumes again as the fit says that it read them, and recomputes objective, dual value and gap
/// (proof_check.h). Throws where there is nothing to check: no proof, or files that cannot be read.
Verdict verify_fit(const VerifyRequest& request, Events& events);

/// The verdict as a table: part, quantity, recomputed, claimed.
std::string table_of(const Verdict& verdict);

}  // namespace sturm
