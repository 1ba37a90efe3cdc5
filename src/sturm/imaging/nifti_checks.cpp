// SPDX-License-Identifier: BSD-3-Clause
// Every field of a header that the rest depends on, checked: what follows may trust it.
#include <algorithm>
#include <cmath>

#include "sturm/imaging/nifti_header.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

struct TypeFacts {
  VoxelType type;
  int code;
  const char* name;
  Index bytes;
};

constexpr TypeFacts types[] = {
    {VoxelType::uint8, 2, "uint8", 1},      {VoxelType::int8, 256, "int8", 1},
    {VoxelType::int16, 4, "int16", 2},      {VoxelType::uint16, 512, "uint16", 2},
    {VoxelType::int32, 8, "int32", 4},      {VoxelType::uint32, 768, "uint32", 4},
    {VoxelType::int64, 1024, "int64", 8},   {VoxelType::uint64, 1280, "uint64", 8},
    {VoxelType::float32, 16, "float32", 4}, {VoxelType::float64, 64, "float64", 8},
};

/// Codes that have a meaning but no single real number per voxel, or one whose layout depends on the machine.
std::string refused_type(int code) {
  switch (code) {
    case 1: return "single bits";
    case 32: return "complex64";
    case 128: return "RGB colours";
    case 1536: return "float128";
    case 1792: return "complex128";
    case 2048: return "complex256";
    case 2304: return "RGBA colours";
    default: return "no known type";
  }
}

TypeFacts check_type(const VolumeHeader& h, const fs::path& name, std::vector<std::string>& warnings) {
  int code = h.datatype;
  if (h.format == VolumeFormat::analyze && (code == 130 || code == 132 || code == 136))  // SPM's own numbers
    code = code == 130 ? 256 : code == 132 ? 512 : 768;
  const auto* found = std::ranges::find(types, code, &TypeFacts::code);
  if (found == std::end(types))
    refuse_volume(name, "the field datatype of its header is " + std::to_string(h.datatype) + " (" +
                            refused_type(code) +
                            "), and voxels must be real integers of 8 to 64 bits, float32 or float64; convert it, for "
                            "complex numbers to magnitudes");
  if (h.bitpix != found->bytes * 8)
    warnings.push_back("the field bitpix is " + std::to_string(h.bitpix) + " where " + found->name + " has " +
                       std::to_string(found->bytes * 8) + " bits per voxel; datatype is trusted");
  return *found;
}

/// The extents, with those that the file leaves out as 1; the bytes of all voxels fit an Index.
void check_shape(const VolumeHeader& h, const fs::path& name, Index item_bytes, VolumeInfo& info) {
  const auto field = [](int n) { return "dim[" + std::to_string(n) + "]"; };
  if (h.dim[0] < 1 || h.dim[0] > 7)
    refuse_volume(name, "the field dim[0] of its header, the number of dimensions, is " + std::to_string(h.dim[0]) +
                            ", not 1 to 7; it is damaged or was written wrongly, so make it again");
  if (h.dim[0] == 1)
    refuse_volume(name,
                  "the field dim[0] of its header is 1: it holds a list of numbers, not a volume; name an image "
                  "of two to four dimensions");
  std::array<Index, 8> extent{};
  extent.fill(1);
  Index bytes = item_bytes;
  for (int n = 1; n <= h.dim[0]; ++n) {
    if (h.dim[n] < 1)
      refuse_volume(name, "the field " + field(n) + " of its header is " + std::to_string(h.dim[n]) +
                              ", and every extent must be at least 1; it is damaged or was written wrongly, so make it "
                              "again");
    extent[n] = h.dim[n];
    if (__builtin_mul_overflow(bytes, extent[n], &bytes) || bytes > INT64_MAX / 16)
      refuse_volume(name, "the fields dim[1] to " + field(n) +
                              " of its header ask for more bytes than any file can "
                              "have; it is damaged or was written wrongly, so make it again");
  }
  for (int n = 5; n < 8; ++n)
    if (extent[n] > 1)
      refuse_volume(name, "the field " + field(n) + " of its header is " + std::to_string(extent[n]) +
                              ": it has more than the four dimensions of volumes over time (a vector image, a CIFTI "
                              "matrix); split it into volumes first");
  info.grid.shape = Shape{extent[1], extent[2], extent[3]};
  info.volumes = extent[4];
}

/// Analyze as SPM2 used it: an intercept that is not finite is 0, and without a slope the recorded ranges give one.
void analyze_scaling(const VolumeHeader& h, VolumeInfo& info) {
  if (std::isfinite(h.scl_slope) && h.scl_slope != 0) {
    info.slope = h.scl_slope;
    info.intercept = std::isfinite(h.scl_inter) ? h.scl_inter : 0;
    return;
  }
  const auto stored = static_cast<double>(h.glmax - h.glmin);
  const auto scaled = static_cast<double>(static_cast<float>(h.cal_max) - static_cast<float>(h.cal_min));
  const double slope = scaled / stored, intercept = h.cal_min - slope * static_cast<double>(h.glmin);
  if (stored != 0 && scaled != 0 && std::isfinite(slope) && std::isfinite(intercept)) {
    info.slope = slope;
    info.intercept = intercept;
  }
}

void check_scaling(const VolumeHeader& h, const fs::path& name, VolumeInfo& info) {
  if (h.format == VolumeFormat::analyze) return analyze_scaling(h, info);
  if (h.scl_slope == 0) return;  // the standard's word for none
  if (!std::isfinite(h.scl_slope)) {
    info.warnings.push_back("the field scl_slope is " + in_words(h.scl_slope) + "; the voxels are taken unscaled");
    return;
  }
  if (!std::isfinite(h.scl_inter))
    refuse_volume(name, "the field scl_inter of its header is " + in_words(h.scl_inter) + " while scl_slope is " +
                            in_words(h.scl_slope) +
                            ", so no voxel has a value; write the file again with its true "
                            "intercept");
  info.slope = h.scl_slope;
  info.intercept = h.scl_inter;
}

/// Seconds between volumes, and units that are not those of the rest of the world.
void check_units(const VolumeHeader& h, VolumeInfo& info) {
  if (h.format == VolumeFormat::analyze) return;
  const int space = h.xyzt_units & 7, time = h.xyzt_units & 0x38;
  if (space > 3 || time > 48 || (h.xyzt_units & ~0x3f) != 0)
    info.warnings.push_back("the field xyzt_units is " + std::to_string(h.xyzt_units) +
                            ", which is not a unit; lengths are taken as millimetres");
  else if (space == 1 || space == 3)
    info.warnings.push_back(std::string("the field xyzt_units says ") + (space == 1 ? "metres" : "micrometres") +
                            "; lengths are taken as millimetres all the same, as other programs do");
  if (h.dim[0] < 4 || !(h.pixdim[4] > 0) || !std::isfinite(h.pixdim[4]) || time > 24) return;
  info.repetition_time = h.pixdim[4] * (time == 16 ? 1e-3 : time == 24 ? 1e-6 : 1);
  if (info.volumes > 1 && info.repetition_time > 100)
    info.warnings.push_back("the field pixdim[4] says " + in_words(info.repetition_time) +
                            " seconds between volumes; perhaps they are milliseconds");
}

void check_offset(const VolumeHeader& h, const fs::path& name, VolumeInfo& info) {
  const Index first = h.pair ? 0 : h.bytes() + 4;
  const auto said = in_words(h.vox_offset);
  const auto in_header = static_cast<double>(h.bytes());
  if (!(h.vox_offset >= 0) || h.vox_offset >= 0x1p53 || h.vox_offset != std::floor(h.vox_offset) ||
      (!h.pair && h.vox_offset > 0 && h.vox_offset < in_header))
    refuse_volume(name, "the field vox_offset of its header, where voxels begin, is " + said +
                            ", which does not lie behind the header; it is damaged or was written wrongly, so make it "
                            "again");
  info.data_offset = static_cast<Index>(h.vox_offset);
  if (h.pair) return;
  if (info.data_offset == 0) {
    info.data_offset = first;
    info.warnings.push_back("the field vox_offset is 0; voxels are taken from byte " + std::to_string(first));
  } else if (info.data_offset < first) {
    info.warnings.push_back("the field vox_offset is " + said + ", less than " + std::to_string(first) +
                            ": it leaves no room for the extension flag, but is trusted");
  } else if (info.data_offset % 16 != 0) {
    info.warnings.push_back("the field vox_offset is " + said +
                            ", not a multiple of 16; other programs may not read "
                            "it");
  }
}

}  // namespace

std::string to_string(VolumeFormat format) {
  return format == VolumeFormat::nifti1 ? "NIfTI-1" : format == VolumeFormat::nifti2 ? "NIfTI-2" : "Analyze 7.5";
}
std::string to_string(VoxelType type) { return std::ranges::find(types, type, &TypeFacts::type)->name; }
Index voxel_bytes(VoxelType type) { return std::ranges::find(types, type, &TypeFacts::type)->bytes; }

VolumeInfo check_header(const VolumeHeader& header, const fs::path& name) {
  VolumeInfo info;
  info.header_file = info.data_file = name;
  info.format = header.format;
  info.swapped = header.swapped;
  const TypeFacts type = check_type(header, name, info.warnings);
  info.type = type.type;
  check_shape(header, name, type.bytes, info);
  check_offset(header, name, info);
  check_scaling(header, name, info);
  info.grid.affine = read_affine(header, info.grid.shape, name, info.warnings);
  check_units(header, info);
  info.qform_code = header.qform_code;
  info.sform_code = header.sform_code;
  info.description = header.descrip;
  if (header.format != VolumeFormat::analyze) {
    info.intent_code = header.intent_code;
    info.intent_name = header.intent_name;
  }
  return info;
}

}  // namespace sturm
