// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/anatomy.h"

#include <algorithm>
#include <cstring>

#include "sturm/core/error.h"
#include "sturm/imaging/gzip.h"
#include "sturm/imaging/nifti_header.h"
#include "sturm/imaging/standard_space.h"

namespace sturm {
namespace {

/// A volume to look at: what has no value stays 0 and is the darkest, so that negative values are moved above it.
void raise_above_zero(BrainMap& map) {
  const auto [least, greatest] = std::ranges::minmax(map.values.flat());
  if (least >= 0) return;
  const float lift = 0.1F * (greatest - least) - least;
  for (float& v : map.values.flat())
    if (v != 0) v += lift;
}

/// A mask of the brain may reach a little beyond the template's brain, and may hold a part of it alone. Noise or skull
/// around a brain reaches far beyond it.
bool lies_where_the_template_does(const BrainMap& mean, const Grid& grid) {
  constexpr double most_beyond = 0.2, least_filled = 0.2;
  const BrainMap there = map_on(mean, grid, "mean"), brain = map_on(mni_template(), grid, "template");
  double inside = 0, covered = 0, whole = 0;
  for (Index v = 0; v < grid.shape.size(); ++v) {
    const bool is_brain = brain.values.data()[v] > 0, has_value = there.values.data()[v] != 0;
    whole += is_brain;
    covered += has_value;
    inside += is_brain && has_value;
  }
  return covered - inside <= most_beyond * covered && inside >= least_filled * whole && inside > 0;
}

BrainMap on_maps(const BrainMap& map, const std::optional<Grid>& grid, bool in_world, const std::string& name) {
  BrainMap out = grid ? map_on(map, *grid, name) : map;
  if (grid) out.in_world = in_world;
  raise_above_zero(out);
  return out;
}

}  // namespace

BrainMap mni_template() {
  const std::string_view gzip = embedded_template();
  std::uint32_t size = 0;  // a gzip member ends with it
  std::memcpy(&size, gzip.data() + gzip.size() - sizeof size, sizeof size);
  std::string file(size, '\0');
  const std::string name = "the ICBM 152 template";
  if (!inflate_bytes(gzip, std::as_writable_bytes(std::span(file))))
    throw Error(name + " in this copy of sturm is damaged; build sturm again.");
  const VolumeHeader header = decode_header(std::as_bytes(std::span(file)), name);
  const VolumeInfo info = check_header(header, name);
  std::vector<std::string> ignored;
  BrainMap out{TensorF(info.grid.shape), read_affine(header, info.grid.shape, name, ignored), true};
  const auto* const voxels = reinterpret_cast<const unsigned char*>(file.data()) + info.data_offset;
  std::copy_n(voxels, out.values.shape().size(), out.values.data());
  return out;
}

SpaceFinding find_space(const std::optional<SpaceFacts>& said, const Grid& grid, const std::optional<BrainMap>& mean) {
  constexpr Index talairach = 3, mni = 4;
  if (said && said->phantom) return {false, "the volumes are a phantom's"};
  if (said && !said->entity.empty())
    return {said->entity.starts_with("MNI"), "the names of all files say space-" + said->entity};
  if (said && said->form_code == mni) return {true, "the headers of all volumes say so (form code 4)"};
  if (said && said->form_code == talairach) return {false, "their headers say Talairach's space (form code 3)"};
  const std::string known = known_mni_grid(grid);
  if (known.empty()) return {false, "neither file names nor headers nor the grid say that they are in MNI space"};
  if (!mean || !mean->in_world || !lies_where_the_template_does(*mean, grid))
    return {false, "the grid is " + known + " for MNI space, but the values do not lie where the brain is there"};
  return {true, "the grid is " + known + ", and the values lie where the brain is there"};
}

Anatomy choose_anatomy(const std::string& asked, const ResultFolder& folder, const std::optional<Grid>& grid,
                       bool in_world) {
  const std::string own = "background";
  std::optional<BrainMap> mean = find_map(folder.path, own);
  if (!asked.empty() && asked != "mean" && asked != "mni") {
    const BrainMap given = read_map(asked);
    const std::string name = std::filesystem::path(asked).filename().string();
    return {on_maps(given, grid, in_world, asked), "Template", "The anatomy is " + name + ", as asked for."};
  }
  SpaceFinding found;
  if (asked == "mni") {
    if (grid && !in_world)
      throw Error({folder.path.string()},
                  "has maps of arrays, which have no place in the world, so that no template can lie under them; "
                  "leave out `background mni`.");
    found = {true, "it was asked for"};
  } else if (asked.empty() && grid && in_world) {
    found = find_space(folder.data.space, *grid, mean);
  }
  if (found.mni) {
    const std::string label = "ICBM 152 template";
    const char* const reason = asked == "mni" ? ", because " : ", because the volumes are in MNI space: ";
    return {on_maps(mni_template(), grid, true, label), label,
            "The anatomy is the " + label + reason + found.why + "."};
  }
  if (!mean) return {};
  const std::string why = found.why.empty() ? "" : " No template is laid under the maps, because " + found.why + ".";
  return {on_maps(*mean, grid, in_world, (folder.path / own).string()), "Mean volume",
          "The anatomy is the mean of the volumes." + why};
}

}  // namespace sturm
