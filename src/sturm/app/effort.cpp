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
  for (std::size_t at = 0; at < nested.resolutions.size(); ++at) {
    const Resolution<Real>& r = nested.resolutions[at];
    const Design<Real> volumes = r.learn ? r.volumes({}, {}) : r.design;
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
    // Of a stand-in the time grows with the voxels that it stands for.
    const bool whole = study.outlines.empty();
    const Region region = whole ? data.design.region() : Region(study.outlines[at].shape);
    const Index voxels = whole ? r.design.voxels() : study.outlines[at].voxels;
    const double larger = static_cast<double>(voxels) / static_cast<double>(r.design.voxels());
    const Index fits = static_cast<Index>(grid.size()) * inner * classes;
    out.fits += fits;
    out.seconds += larger * seconds / static_cast<double>(count) * static_cast<double>(fits);
    const Index at_once = method.all_at_once() ? fits : inner;
    const Index batch = std::min(at_once * method.bytes(region, volumes.samples()), o.method.memory);
    const Index copy = checked_product(volumes.samples(), voxels * static_cast<Index>(sizeof(Real)));  // the fold's own
    out.bytes = std::max(out.bytes, batch + copy);
  }
  return out;
}

template <class Real>
Index readable_fits(const CvStudy<Real>& study, const std::vector<std::string>& family) {
  const Index with =
      std::ranges::count_if(family, [](const std::string& name) { return find_method<Real>(name).has_sparse_path(); });
  return with * std::max<Index>(1, study.nested.keys.several);
}

template Index readable_fits(const CvStudy<float>&, const std::vector<std::string>&);
template Index readable_fits(const CvStudy<double>&, const std::vector<std::string>&);
template Effort effort_of(const CvStudy<float>&, const std::vector<std::string>&);
template Effort effort_of(const CvStudy<double>&, const std::vector<std::string>&);

}  // namespace sturm
