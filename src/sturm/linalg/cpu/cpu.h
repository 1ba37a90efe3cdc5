// SPDX-License-Identifier: BSD-3-Clause
// The operations of backend.h on the processor, as functions; backend.cpp gathers them.
#pragma once

#include "sturm/linalg/backend.h"

namespace sturm::linalg::cpu {

// sweep.cpp
template <class Real>
void sweep(Index samples, Part<const Real> x, std::span<SweepJob<Real>> jobs);

// support.cpp
template <class Real>
void update_support(Index samples, Part<const Real> x, std::span<SupportJob<Real>> jobs);
template <class Real>
void compare_signs(std::span<SignsJob<Real>> jobs);

// columns.cpp
template <class Real>
void try_steps(std::span<StepsJob<Real>> jobs, std::span<const double> steps);
template <class Real>
void scale(std::span<ScaleJob<Real>> jobs);
template <class Real>
void mix(std::span<MixJob<Real>> jobs);
template <class Real>
void measure_excess(std::span<ExcessJob<Real>> jobs);
template <class Real>
void polish(std::span<PolishJob<Real>> jobs);
template <class Real>
void compare(std::span<CompareJob<Real>> jobs);
template <class Real>
void measure_sizes(std::span<SizeJob<Real>> jobs);
template <class Real>
void shrink_on_ray(std::span<RayJob<Real>> jobs);

// copies.cpp
PlacementPointer place(std::span<const Index> positions, Index size);
template <class Real>
void relax(std::span<RelaxJob<Real>> jobs, double nu);
template <class Real>
void accept(std::span<AcceptJob<Real>> jobs, double nu);
template <class Real>
void gather(std::span<GatherJob<Real>> jobs);
template <class Real>
void spread(std::span<SpreadJob<Real>> jobs);
template <class Real>
void split(std::span<SplitJob<Real>> jobs);

}  // namespace sturm::linalg::cpu
