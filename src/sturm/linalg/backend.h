// SPDX-License-Identifier: BSD-3-Clause
// All that a device must know how to do: coarse, batched operations on arrays in its own memory. The layers above
// are written against this page, array.h and jobs.h alone; cpu/ and cuda/ implement it file by file. What stays on the
// host whatever the device, a sample's or a pair of samples' numbers and proofs in double, is in host.h.
#pragma once

#include <span>
#include <string>

#include "sturm/linalg/jobs.h"
#include "sturm/linalg/slices.h"

namespace sturm::linalg {

/// Column-major throughout. A batch is `count` tensors of one shape, one after the other. No result depends on the
/// other jobs of a call, and none on threads.
template <class Real>
class Operations {
 public:
  virtual ~Operations() = default;

  // Products with the design matrix x (samples x columns, samples fastest), in one pass over it for all jobs.
  /// Problems of like sparsity should stand side by side.
  virtual void sweep(Index samples, Part<const Real> x, std::span<SweepJob<Real>> jobs) = 0;
  virtual void update_support(Index samples, Part<const Real> x, std::span<SupportJob<Real>> jobs) = 0;

  // The columns of many problems.
  virtual void try_steps(std::span<StepsJob<Real>> jobs, std::span<const double> steps) = 0;
  virtual void scale(std::span<ScaleJob<Real>> jobs) = 0;
  virtual void mix(std::span<MixJob<Real>> jobs) = 0;
  virtual void compare_signs(std::span<SignsJob<Real>> jobs) = 0;
  virtual void measure_excess(std::span<ExcessJob<Real>> jobs) = 0;
  virtual void polish(std::span<PolishJob<Real>> jobs) = 0;
  virtual void compare(std::span<CompareJob<Real>> jobs) = 0;
  virtual void measure_sizes(std::span<SizeJob<Real>> jobs) = 0;
  virtual void shrink_on_ray(std::span<RayJob<Real>> jobs) = 0;

  // Copies of W for the low-rank part.
  virtual void relax(std::span<RelaxJob<Real>> jobs, double nu) = 0;
  virtual void accept(std::span<AcceptJob<Real>> jobs, double nu) = 0;
  virtual void gather(std::span<GatherJob<Real>> jobs) = 0;
  virtual void spread(std::span<SpreadJob<Real>> jobs) = 0;
  virtual void split(std::span<SplitJob<Real>> jobs) = 0;

  /// Mode-3 product of every tensor of a batch: out(:, :, q) = sum_p in(:, :, p) matrix(p, q). Not in place.
  virtual void transform(const Shape& shape, Index count, Part<const Real> in, const TubeMatrix<Real>& matrix,
                         Part<Real> out) = 0;
  /// Every slice of transformed tensor b becomes U diag((s - thresholds[b])+) V^H. A slice that holds a NaN or an
  /// infinity becomes NaN. `results` has slices.size() entries per tensor. `accuracy` is an error that does no harm,
  /// relative to the largest singular value of a slice; 0: as good as it gets, which is 1e-5 in single and 1e-12 in
  /// double precision.
  virtual void shrink(const Shape& shape, Index count, Part<Real> hat, std::span<const Slice> slices,
                      std::span<const double> thresholds, std::span<Shrunk> results, double accuracy = 0) = 0;
  /// Nuclear norm and largest singular value of every slice: in single precision through Gram matrices in double, small
  /// values being wrong by up to 2e-8 times the largest; exact in double.
  virtual void norms(const Shape& shape, Index count, Part<const Real> hat, std::span<const Slice> slices,
                     std::span<Shrunk> results) = 0;
};

class Backend : public Operations<float>, public Operations<double> {
 public:
  virtual std::string name() const = 0;
  /// Whether callers on several threads are served side by side. False where one list of jobs fills all of the device.
  virtual bool side_by_side() const { return false; }

  /// Zero when made.
  template <class T>
  Array<T> make(Index size) {
    return {allocate(size * static_cast<Index>(sizeof(T))), size};
  }
  /// What lies on the host and stays as it is, as long as `keep` lives: used in place where the device can.
  template <class T>
  Array<const T> hold(std::span<const T> host, std::shared_ptr<const void> keep) {
    return {share(host.data(), static_cast<Index>(host.size_bytes()), std::move(keep)),
            static_cast<Index>(host.size())};
  }
  template <class T>
  void upload(std::span<const T> from, Part<T> to) {
    write(from.data(), static_cast<Index>(from.size_bytes()), to.address());
  }
  template <class T>
  void download(Part<const std::type_identity_t<T>> from, std::span<T> to) {
    read(from.address(), static_cast<Index>(to.size_bytes()), to.data());
  }
  template <class T>
  Array<T> uploaded(std::span<const T> from) {
    Array<T> out = make<T>(static_cast<Index>(from.size()));
    upload(from, out.whole());
    return out;
  }
  /// Column c stands at positions[c] of an array of this size.
  virtual PlacementPointer place(std::span<const Index> positions, Index size) = 0;

 protected:
  virtual std::shared_ptr<void> allocate(Index bytes) = 0;  ///< zero
  virtual std::shared_ptr<const void> share(const void* host, Index bytes, std::shared_ptr<const void> keep) = 0;
  virtual void write(const void* host, Index bytes, void* device) = 0;
  virtual void read(const void* device, Index bytes, void* host) = 0;
};

/// The operations of one precision, chosen by type.
template <class Real>
Operations<Real>& operations(Backend& backend) {
  return backend;
}

/// The processor. Made at the first call.
Backend& cpu_backend();

/// Why there is no CUDA device here; empty where there is one.
std::string cuda_unavailable();

}  // namespace sturm::linalg
