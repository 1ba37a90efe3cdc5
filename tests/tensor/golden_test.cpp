// SPDX-License-Identifier: BSD-3-Clause
// The checked numbers of the tensor cases, in double and in single precision.
#include <fstream>
#include <nlohmann/json.hpp>

#include "shared_data.h"
#include "sturm/core/npy.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tnn.h"
#include "sturm/tensor/tproduct.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {
namespace {

using nlohmann::json;

json tensor_cases() {
  std::ifstream in(test::shared_data("golden/index.json"));
  return json::parse(in)["tensor"];
}

Tensor load(const json& name) { return read_npy_tensor(test::shared_data("golden/tensor") / name.get<std::string>()); }

/// Largest error relative to the largest entry of the truth.
double error(const Tensor& got, const Tensor& truth) { return max_abs(got - truth) / std::max(1.0, max_abs(truth)); }
double error(const TensorF& got, const Tensor& truth) { return error(cast<double>(got), truth); }

constexpr double tight = 1e-12, single = 1e-5;

TEST(Golden, TensorProducts) {
  STURM_NEEDS_SHARED("golden/index.json");
  int cases = 0;
  for (const json& c : tensor_cases()) {
    if (c["op"] != "tprod") continue;
    SCOPED_TRACE(c["name"]);
    const Tensor a = load(c["A"]), b = load(c["B"]), product = load(c["C"]);
    EXPECT_LE(error(t_product(a, b), product), tight);
    EXPECT_LE(error(t_product(cast<float>(a), cast<float>(b)), product), single);
    EXPECT_EQ(t_transpose(a), load(c["At"]));
    ++cases;
  }
  EXPECT_EQ(cases, 4);
}

TEST(Golden, TSvdNormsAndProx) {
  STURM_NEEDS_SHARED("golden/index.json");
  int cases = 0;
  for (const json& c : tensor_cases()) {
    if (c["op"] != "tsvd") continue;
    SCOPED_TRACE(c["name"]);
    const Tensor a = load(c["A"]);
    const double spec = c["spec"];
    const Transform dft = Transform::dft(a.shape().n3);
    EXPECT_NEAR(tnn(a), c["tnn"], tight * c["tnn"].get<double>());
    EXPECT_NEAR(tubal_spectral_norm(a), spec, tight * spec);
    EXPECT_EQ(tubal_rank(a), c["tubal_rank"]);

    const Tensor tubes = load(c["S_tubes"]);  // row i is the i-th singular tube
    const Tensor s = t_svd(a).s;
    const Tensor expected_values = load(c["fourier_s"]);
    const auto values = hat_singular_values(a, dft);
    for (Index i = 0; i < s.shape().n1; ++i) {
      for (Index k = 0; k < s.shape().n3; ++k) EXPECT_NEAR(s(i, i, k), tubes(i, k, 0), tight * spec);
      for (Index k = 0; k < s.shape().n3; ++k)
        EXPECT_NEAR(values[std::min(k, s.shape().n3 - k)][i], expected_values(k, i, 0), tight * spec);
    }
    for (const json& p : c["prox"]) {
      SCOPED_TRACE(p["mu"].get<double>());
      const Tensor truth = load(p["Z"]);
      const Tensor z = prox_tnn(a, p["mu"].get<double>());
      EXPECT_LE(error(z, truth), tight);
      EXPECT_LE(error(prox_tnn(cast<float>(a), p["mu"].get<double>()), truth), single);
      EXPECT_NEAR(tnn(z), p["tnn"], tight * c["tnn"].get<double>());
      EXPECT_EQ(tubal_rank(z), p["tubal_rank"]);
    }
    ++cases;
  }
  EXPECT_EQ(cases, 7);
}

TEST(Golden, TubalRanks) {
  STURM_NEEDS_SHARED("golden/index.json");
  int cases = 0;
  for (const json& c : tensor_cases()) {
    if (c["op"] == "tprod" || c["op"] == "tsvd") continue;
    SCOPED_TRACE(c.dump());
    EXPECT_EQ(tubal_rank(load(c["A"])), c["tubal_rank"]);
    ++cases;
  }
  EXPECT_EQ(cases, 3);
}

}  // namespace
}  // namespace sturm
