// SPDX-License-Identifier: BSD-3-Clause
// Our side of prox_tnn.py: reads a batch from a raw file, writes the result, prints the best time in seconds.
//   prox_tnn_bench prox float|double N1 N2 N3 COUNT THREADS REPEATS IN THRESHOLDS OUT
//   prox_tnn_bench gemm float|double            (GFLOP/s of a matrix product on one core)
//   prox_tnn_bench dft N1 N2 N3 REPEATS         (one transform along tubes, single precision, one thread)
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/linalg/host.h"
#include "sturm/tensor/tnn.h"

namespace {

using namespace sturm;

template <class Body>
double best_of(int repeats, Body body) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

template <class Real>
std::vector<Real> read_raw(const char* file, Index count) {
  std::vector<Real> out(count);
  std::ifstream in(file, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(count * sizeof(Real))))
    throw Error(std::string(file) + ": cannot be read");
  return out;
}

template <class Real>
void prox(char** args) {
  const Shape shape{std::atoll(args[0]), std::atoll(args[1]), std::atoll(args[2])};
  const Index count = std::atoll(args[3]);
  const UseThreads threads(std::atoi(args[4]));
  const int repeats = std::atoi(args[5]);
  const std::vector<Real> input = read_raw<Real>(args[6], count * shape.size());
  const std::vector<double> mus = read_raw<double>(args[7], count);
  const Transform dft = Transform::dft(shape.n3);
  AlignedVector<Real> batch(input.size()), scratch;
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    std::ranges::copy(input, batch.begin());
    best = std::min(best, best_of(1, [&] { prox_tnn_batch<Real>(shape, batch, mus, dft, scratch); }));
  }
  std::ofstream(args[8], std::ios::binary)
      .write(reinterpret_cast<const char*>(batch.data()), static_cast<std::streamsize>(batch.size() * sizeof(Real)));
  std::printf("%.9g\n", best);
}

template <class Real>
void gemm() {
  const UseThreads one(1);
  const Index n = 1024;
  std::vector<Real> a(n * n, 1), b(n * n, 1), c(n * n);
  const double seconds = best_of(10, [&] {
    linalg::host::multiply<Real>(linalg::Op::none, linalg::Op::none, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(),
                                 n);
  });
  std::printf("%.6g\n", 2.0 * static_cast<double>(n * n * n) / seconds * 1e-9);
}

void dft(char** args) {
  const UseThreads one(1);
  const Shape shape{std::atoll(args[0]), std::atoll(args[1]), std::atoll(args[2])};
  const Transform transform = Transform::dft(shape.n3);
  const std::vector<float> in(shape.size(), 1);
  std::vector<float> out(in.size());
  std::printf("%.9g\n", best_of(std::atoi(args[3]), [&] {
                linalg::host::transform<float>(shape, 1, in.data(), transform.forward<float>(), out.data());
              }));
}

}  // namespace

int main(int count, char** args) {
  const std::string verb = count > 1 ? args[1] : "", type = count > 2 ? args[2] : "";
  if (verb == "prox" && count == 12)
    type == "float" ? prox<float>(args + 3) : prox<double>(args + 3);
  else if (verb == "gemm" && count == 3)
    type == "float" ? gemm<float>() : gemm<double>();
  else if (verb == "dft" && count == 6)
    dft(args + 2);
  else
    return 2;
  return 0;
}
