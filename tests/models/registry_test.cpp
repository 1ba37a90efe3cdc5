// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "message.h"
#include "models/classes.h"

namespace sturm {
namespace {

TEST(Registry, EveryMethodIsFoundByItsName) {
  std::set<std::string> names;
  for (const auto& method : methods<double>()) {
    EXPECT_TRUE(names.insert(method->name()).second) << method->name() << " is there twice";
    EXPECT_EQ(known_method<double>(method->name()), method.get());
    EXPECT_EQ(&find_method<double>(method->name()), method.get());
    ASSERT_NE(known_method<float>(method->name()), nullptr) << method->name();
    EXPECT_EQ(find_method<float>(method->name()).parameters().size(), method->parameters().size());
    EXPECT_FALSE(method->title().empty() || method->reference().empty()) << method->name();
    for (const Parameter& p : method->parameters()) EXPECT_FALSE(p.name.empty() || p.meaning.empty());
  }
  EXPECT_EQ(known_method<double>("tubal"), nullptr);
  EXPECT_SAYS(find_method<double>("tubal"), "`method tubal`", "sturm, remurs", "enet+svm");
}

// What the layers above ask in place of knowing names.
TEST(Registry, MethodsDescribeThemselves) {
  int baselines = 0;
  std::set<std::string> paths;
  for (const auto& method : methods<double>()) {
    baselines += is_baseline(method->name());
    EXPECT_GT(method->cost(), 0);
    if (method->has_sparse_path()) paths.insert(method->name());
    const std::string selector = method->selects_with();
    if (selector.empty()) continue;
    EXPECT_EQ(method->name(), selector + "+svm");
    EXPECT_EQ(method->cost(), find_method<double>(selector).cost());
    EXPECT_TRUE(find_method<double>(selector).selects_with().empty());
  }
  EXPECT_EQ(baselines, 1);
  EXPECT_EQ(paths, (std::set<std::string>{"sturm", "remurs", "lasso", "enet"}));
  EXPECT_TRUE(is_baseline("dummy"));
  EXPECT_FALSE(is_baseline("tubal"));
}

// Grids are made of settings that fit takes.
TEST(Registry, EveryGridHasANumberForEveryParameter) {
  const test::TwoClasses data = test::two_classes({4, 3, 5}, 20, 0.6, 7);
  for (const auto& method : methods<double>())
    for (const GridKind kind : {GridKind::path, GridKind::paper}) {
      const auto grid = method->grid({linalg::cpu_backend(), data.design, {}}, {data.y, {}, {}}, kind);
      EXPECT_FALSE(grid.empty()) << method->name();
      for (const auto& setting : grid) EXPECT_EQ(setting.size(), method->parameters().size()) << method->name();
    }
}

}  // namespace
}  // namespace sturm
