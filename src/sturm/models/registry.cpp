// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/registry.h"

#include "sturm/core/sentence.h"
#include "sturm/models/kernel/svm.h"
#include "sturm/models/kernel/svm_rbf.h"
#include "sturm/models/linear/dummy_method.h"
#include "sturm/models/linear/lasso_method.h"
#include "sturm/models/linear/penalised_method.h"
#include "sturm/models/linear/ridge_method.h"
#include "sturm/models/multiway/mmk_method.h"
#include "sturm/models/multiway/surf_method.h"
#include "sturm/models/wrappers/plus_svm.h"

namespace sturm {
namespace {

template <class Real>
std::vector<std::unique_ptr<Method<Real>>> make_all() {
  std::vector<std::unique_ptr<Method<Real>>> all;
  all.push_back(make_sturm<Real>());
  all.push_back(make_remurs<Real>());
  all.push_back(make_lasso<Real>());
  all.push_back(make_enet<Real>());
  all.push_back(make_svm<Real>());
  all.push_back(make_svm_rbf<Real>());
  all.push_back(make_mmk<Real>());
  all.push_back(make_dusk<Real>());
  all.push_back(make_surf<Real>());
  all.push_back(make_ridge<Real>());
  all.push_back(make_dummy<Real>());
  all.push_back(make_plus_svm(make_sturm<Real>()));
  all.push_back(make_plus_svm(make_remurs<Real>()));
  all.push_back(make_plus_svm(make_lasso<Real>()));
  all.push_back(make_plus_svm(make_enet<Real>()));
  return all;
}

}  // namespace

template <class Real>
const std::vector<std::unique_ptr<Method<Real>>>& methods() {
  static const std::vector<std::unique_ptr<Method<Real>>> all = make_all<Real>();
  return all;
}

template <class Real>
const Method<Real>* known_method(const std::string& name) {
  for (const auto& method : methods<Real>())
    if (method->name() == name) return method.get();
  return nullptr;
}

template <class Real>
const Method<Real>& find_method(const std::string& name) {
  if (const Method<Real>* const method = known_method<Real>(name)) return *method;
  std::string names;
  for (const auto& method : methods<Real>()) {
    names += (names.empty() ? "" : ", ") + method->name();
  }
  throw UsageError(option_name("method", name) + " does not exist; there are: " + names + ".");
}

bool is_baseline(const std::string& name) {
  const Method<double>* const method = known_method<double>(name);
  return method != nullptr && method->is_baseline();
}

#define STURM_INSTANTIATE(Real)                                         \
  template const std::vector<std::unique_ptr<Method<Real>>>& methods(); \
  template const Method<Real>* known_method(const std::string&);        \
  template const Method<Real>& find_method(const std::string&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
