// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/effort.h"

#include <algorithm>
#include <chrono>

#include "sturm/models/registry.h"
#include "sturm/models/wrappers/one_vs_rest.h"

namespace sturm {

template <class Real>
Effort effort_of(const CvStudy<Real>& study, const std::vector<std::string>& family) {
  const NestedStudy<Real>& nested = study.nested;
  const NestedOptions& o = nested.options;
  const Method<Real>& method = find_method<Real>(family.front());
  const int inner = o.inner.kind == FoldKind::count ? folds_that_fit(nested.keys, o.inner).count
                    : o.inner.kind == FoldKind::one ? static_cast<int>(nested.keys.rows())
                                                    : study.plan.outer.count();
  Effort out{.fits = static_cast<Index>(family.size())};
  for (const Resolution<Real>& r : nested.resolutions) {
    const Design<Real> volumes = r.volumes({}, {});
    const FitData<Real> data = nested.data(method, volumes);
    const Index classes = std::max<Index>(1, nested.keys.several);
    const std::vector<double> y = classes > 1 ? against_rest(nested.keys.y, 0) : nested.keys.y;
    const auto grid = method.grid(data, {y, {}, {}}, o.grid);
    const std::size_t count = std::min<std::size_t>(32, grid.size());
    std::vector<FitTask> tasks;
    for (std::size_t t = 0; t < count; ++t) tasks.push_back({y, {}, grid[t * grid.size() / count]});
    const auto start = std::chrono::steady_clock::now();
    method.fit(data, tasks, o.method, [](Index, const auto&) {});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Index fits = static_cast<Index>(grid.size()) * inner * classes;
    out.fits += fits;
    out.seconds += seconds / static_cast<double>(count) * static_cast<double>(fits);
    const Index at_once = method.all_at_once() ? fits : inner;
    const Index batch = std::min(at_once * method.bytes(volumes.region(), volumes.samples()), o.method.memory);
    out.bytes = std::max(out.bytes, batch + static_cast<Index>(r.design.x().size_bytes()));  // the fold's own copy
  }
  return out;
}

template Effort effort_of(const CvStudy<float>&, const std::vector<std::string>&);
template Effort effort_of(const CvStudy<double>&, const std::vector<std::string>&);

}  // namespace sturm
