// SPDX-License-Identifier: BSD-3-Clause
// The processor as a backend: its memory is the host's.
#include "sturm/linalg/backend.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "sturm/linalg/blas_kernels.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace {

template <class Real, class Base>
class CpuOperations : public Base {
 public:
  void sweep(Index samples, Part<const Real> x, std::span<SweepJob<Real>> jobs) final { cpu::sweep(samples, x, jobs); }
  void update_support(Index samples, Part<const Real> x, std::span<SupportJob<Real>> jobs) final {
    cpu::update_support(samples, x, jobs);
  }
  void try_steps(std::span<StepsJob<Real>> jobs, std::span<const double> steps) final { cpu::try_steps(jobs, steps); }
  void scale(std::span<ScaleJob<Real>> jobs) final { cpu::scale(jobs); }
  void mix(std::span<MixJob<Real>> jobs) final { cpu::mix(jobs); }
  void compare_signs(std::span<SignsJob<Real>> jobs) final { cpu::compare_signs(jobs); }
  void measure_excess(std::span<ExcessJob<Real>> jobs) final { cpu::measure_excess(jobs); }
  void polish(std::span<PolishJob<Real>> jobs) final { cpu::polish(jobs); }
  void compare(std::span<CompareJob<Real>> jobs) final { cpu::compare(jobs); }
  void measure_sizes(std::span<SizeJob<Real>> jobs) final { cpu::measure_sizes(jobs); }
  void shrink_on_ray(std::span<RayJob<Real>> jobs) final { cpu::shrink_on_ray(jobs); }
  void relax(std::span<RelaxJob<Real>> jobs, double nu) final { cpu::relax(jobs, nu); }
  void accept(std::span<AcceptJob<Real>> jobs, double nu) final { cpu::accept(jobs, nu); }
  void gather(std::span<GatherJob<Real>> jobs) final { cpu::gather(jobs); }
  void spread(std::span<SpreadJob<Real>> jobs) final { cpu::spread(jobs); }
  void split(std::span<SplitJob<Real>> jobs) final { cpu::split(jobs); }

  void transform(const Shape& shape, Index count, Part<const Real> in, const TubeMatrix<Real>& matrix,
                 Part<Real> out) final {
    host::transform(shape, count, in.address(), matrix, out.address());
  }
  void shrink(const Shape& shape, Index count, Part<Real> hat, std::span<const Slice> slices,
              std::span<const double> thresholds, std::span<Shrunk> results, double accuracy) final {
    host::shrink(shape, count, hat.address(), slices, thresholds, results, accuracy);
  }
  void norms(const Shape& shape, Index count, Part<const Real> hat, std::span<const Slice> slices,
             std::span<Shrunk> results) final {
    if constexpr (sizeof(Real) == 8)
      host::exact_norms(shape, count, hat.address(), slices, results);
    else
      host::norms(shape, count, hat.address(), slices, results);
  }
};

class CpuBackend final : public CpuOperations<float, CpuOperations<double, Backend>> {
 public:
  std::string name() const override { return "cpu"; }
  bool side_by_side() const override { return true; }
  PlacementPointer place(std::span<const Index> positions, Index size) override { return cpu::place(positions, size); }

 protected:
  /// Pages that nobody has written are the system's zeros, and lie where the thread that first writes them runs.
  std::shared_ptr<void> allocate(Index bytes) override {
    constexpr std::size_t line = 64;
    void* const block = std::calloc(static_cast<std::size_t>(bytes) + line, 1);
    if (!block) throw std::bad_alloc();
    std::shared_ptr<void> owner(block, std::free);
    std::size_t room = static_cast<std::size_t>(bytes) + line;
    void* at = block;
    std::align(line, static_cast<std::size_t>(bytes), at, room);
    return {std::move(owner), at};
  }
  std::shared_ptr<const void> share(const void* host, Index, std::shared_ptr<const void> keep) override {
    return {std::move(keep), host};
  }
  void write(const void* host, Index bytes, void* device) override {
    if (bytes > 0) std::memcpy(device, host, static_cast<std::size_t>(bytes));
  }
  void read(const void* device, Index bytes, void* host) override {
    if (bytes > 0) std::memcpy(host, device, static_cast<std::size_t>(bytes));
  }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

}  // namespace sturm::linalg
