// SPDX-License-Identifier: BSD-3-Clause
// From the fields of a header to the place of every voxel. The arithmetic follows nibabel operation by operation, so
// that affines are equal to the last bit: long double where NumPy has its longest type, float where it stays in
// float32.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/imaging/nifti_header.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

constexpr double most_shear = 1e-3;  // cosine between two axes; float32 leaves 1e-7, a registration may leave more

bool finite(const auto& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

/// Voxel sizes as they are used: nibabel and nifti_clib both take the absolute value, and 1 for 0.
std::array<double, 3> used_sizes(const VolumeHeader& h) {
  std::array<double, 3> out{};
  for (int n = 0; n < 3; ++n) out[n] = h.pixdim[n + 1] == 0 ? 1 : std::abs(h.pixdim[n + 1]);
  return out;
}

void check_sizes(const VolumeHeader& h, const fs::path& name, std::vector<std::string>& warnings) {
  for (int n = 1; n <= std::min<Index>(3, h.dim[0]); ++n) {
    const std::string field = "pixdim[" + std::to_string(n) + "]";
    if (!std::isfinite(h.pixdim[n]))
      refuse_volume(name, "the field " + field + " of its header, a voxel size, is " + in_words(h.pixdim[n]) +
                              "; write the file again with its true voxel size");
    if (h.pixdim[n] <= 0)
      warnings.push_back("the field " + field + ", a voxel size, is " + in_words(h.pixdim[n]) + "; it is taken as " +
                         in_words(used_sizes(h)[n - 1]));
  }
}

double qfac(const VolumeHeader& h) { return h.pixdim[0] == -1 ? -1 : 1; }

/// The rotation of the quaternion (a, b, c, d), a from the other three, with voxel sizes and offset. A quaternion that
/// is too long is scaled back to length 1, as nifti_clib does.
Affine qform(const VolumeHeader& h, double handedness) {
  using Long = long double;
  const Long threshold =
      3 * (h.format == VolumeFormat::nifti2 ? static_cast<Long>(std::numeric_limits<double>::epsilon())
                                            : static_cast<Long>(std::numeric_limits<float>::epsilon()));
  const Long x = h.quatern[0], y = h.quatern[1], z = h.quatern[2];
  const Long w2 = 1 - (x * x + y * y + z * z);
  const Long w = std::abs(w2) < threshold || w2 < 0 ? 0 : std::sqrt(w2);
  const Long norm = w * w + x * x + y * y + z * z;
  const Long s = 2 / norm;
  const Long xs = x * s, ys = y * s, zs = z * s;
  const Long wx = w * xs, wy = w * ys, wz = w * zs, xx = x * xs, xy = x * ys, xz = x * zs, yy = y * ys, yz = y * zs,
             zz = z * zs;
  const Long r[3][3] = {
      {1 - (yy + zz), xy - wz, xz + wy}, {xy + wz, 1 - (xx + zz), yz - wx}, {xz - wy, yz + wx, 1 - (xx + yy)}};
  std::array<double, 3> sizes = used_sizes(h);
  sizes[2] *= handedness;
  Affine out;
  for (int row = 0; row < 3; ++row) {
    for (int n = 0; n < 3; ++n) out.rows[row][n] = static_cast<double>(0 + r[row][n] * static_cast<Long>(sizes[n]));
    out.rows[row][3] = h.qoffset[row];
  }
  return out;
}

/// x runs to the left and the middle of the volume is at 0: what Analyze meant, and nibabel's way with a header that
/// says nothing.
Affine centred(const VolumeHeader& h, const Shape& shape) {
  std::array<double, 3> sizes = used_sizes(h);
  for (int n = static_cast<int>(std::min<Index>(3, h.dim[0])); n < 3; ++n) sizes[n] = 1;
  sizes[0] *= -1;
  const Index extents[] = {shape.n1, shape.n2, shape.n3};
  Affine out;
  for (int n = 0; n < 3; ++n) {
    out.rows[n].fill(0);
    out.rows[n][n] = sizes[n];
    out.rows[n][3] = -(static_cast<double>(extents[n] - 1) / 2.0) * sizes[n];
  }
  return out;
}

/// SPM's Analyze: the field origin, in float32, where it makes sense.
Affine analyze_affine(const VolumeHeader& h, const Shape& shape) {
  Affine out = centred(h, shape);
  bool set = false, sensible = true;
  for (int n = 0; n < 3; ++n) {
    out.rows[n][n] = used_sizes(h)[n] * (n == 0 ? -1 : 1);  // also of axes beyond dim[0]
    const auto extent = static_cast<int>(h.dim[n + 1]);
    set = set || h.origin[n] != 0;
    sensible = sensible && h.origin[n] > -extent && h.origin[n] < 2 * extent;
  }
  for (int n = 0; n < 3; ++n)
    out.rows[n][3] = set && sensible
                         ? static_cast<double>(static_cast<float>(1 - h.origin[n]) * static_cast<float>(out.rows[n][n]))
                         : -(static_cast<double>(h.dim[n + 1] - 1) / 2.0) * out.rows[n][n];
  return out;
}

void check_codes(const VolumeHeader& h, std::vector<std::string>& warnings) {
  for (const auto& [field, code] : {std::pair{"qform_code", h.qform_code}, std::pair{"sform_code", h.sform_code}})
    if (code < 0 || code > 5)
      warnings.push_back(std::string("the field ") + field + " is " + std::to_string(code) + ", which means nothing; " +
                         (code < 0 ? "it is taken as 0" : "its transform is used all the same"));
}

/// What is wrong with the qform, if anything; empty where it can be used.
std::string qform_fault(const VolumeHeader& h) {
  if (!finite(h.quatern)) return "the fields quatern_b, quatern_c, quatern_d are not all finite";
  if (!finite(h.qoffset)) return "the fields qoffset_x, qoffset_y, qoffset_z are not all finite";
  return {};
}

void check_qform(const VolumeHeader& h, std::vector<std::string>& warnings) {
  const double length = h.quatern[0] * h.quatern[0] + h.quatern[1] * h.quatern[1] + h.quatern[2] * h.quatern[2];
  if (length > 1 + 1e-5)
    warnings.push_back("the fields quatern_b, quatern_c, quatern_d are longer than 1 together; they were scaled back");
  if (h.pixdim[0] != 1 && h.pixdim[0] != -1 && h.pixdim[0] != 0)
    warnings.push_back("the field pixdim[0] (qfac) is " + in_words(h.pixdim[0]) + ", not 1 or -1; it is taken as 1");
}

void check_sform(const VolumeHeader& h, const Affine& sform, const Shape& shape, std::vector<std::string>& warnings) {
  const Point size = voxel_size(sform);
  double shear = 0;
  for (const auto& [m, n] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
    double dot = 0;
    for (const auto& row : sform.rows) dot += row[m] / size[m] * (row[n] / size[n]);
    shear = std::max(shear, std::abs(dot));
  }
  if (shear > most_shear)
    warnings.push_back(
        "the fields srow_x, srow_y, srow_z (sform) are sheared: the axes of its voxels are not at right "
        "angles");
  // Two different codes name two different spaces. The sign of the third axis (qfac) is left out: no reader
  // uses it where there is an sform.
  if (h.qform_code == h.sform_code && qform_fault(h).empty() && !same_grid({shape, sform}, {shape, qform(h, 1)}) &&
      !same_grid({shape, sform}, {shape, qform(h, -1)}))
    warnings.push_back("its qform and sform disagree although qform_code and sform_code are both " +
                       std::to_string(h.sform_code) + "; the sform is used");
}

/// An affine of voxel sizes alone; NIfTI-2 can hold some whose squares are 0 or infinite.
Affine checked(const Affine& affine, const fs::path& name) {
  if (singular(affine))
    refuse_volume(name,
                  "the fields pixdim[1] to pixdim[3] of its header, the voxel sizes, are too small or too large to "
                  "be true; write the file again with its true voxel sizes");
  return affine;
}

}  // namespace

Affine read_affine(const VolumeHeader& h, const Shape& shape, const fs::path& name,
                   std::vector<std::string>& warnings) {
  check_sizes(h, name, warnings);
  if (h.format == VolumeFormat::analyze) {
    warnings.emplace_back(
        "it is an Analyze 7.5 file, which does not say which side is left; x is taken to run from "
        "right to left, as SPM does");
    return checked(analyze_affine(h, shape), name);
  }
  check_codes(h, warnings);
  const std::string fault = h.qform_code > 0 ? qform_fault(h) : "";
  if (h.qform_code > 0 && fault.empty()) check_qform(h, warnings);

  if (h.sform_code > 0) {
    const Affine sform{h.srow};
    if (singular(sform))
      refuse_volume(name,
                    "the fields srow_x, srow_y, srow_z (sform) of its header are singular or not finite, so its "
                    "voxels have no place; set the sform again, or sform_code to 0");
    if (!fault.empty()) warnings.push_back(fault + "; the sform is used");
    check_sform(h, sform, shape, warnings);
    return sform;
  }
  if (h.qform_code > 0) {
    if (!fault.empty())
      refuse_volume(name, fault +
                              " and there is no sform, so its voxels have no place; set the qform again, or "
                              "qform_code to 0");
    const Affine out = qform(h, qfac(h));
    if (singular(out))
      refuse_volume(name,
                    "the fields pixdim and quatern (qform) of its header make a singular affine; set the qform "
                    "again, or qform_code to 0");
    return out;
  }
  warnings.emplace_back(
      "its header does not say where its voxels lie (qform_code and sform_code are 0); the middle is "
      "taken as 0 and x to run from right to left");
  return checked(centred(h, shape), name);
}

}  // namespace sturm
