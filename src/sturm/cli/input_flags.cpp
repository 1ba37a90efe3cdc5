// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/input_flags.h"

#include "sturm/cli/options.h"

namespace sturm::cli {

void add_input_flags(CLI::App& app, InputOptions& options, Purpose purpose) {
  const auto option = [&app](const char* name, std::string& value, const char* help, const char* type) {
    return app.add_option(name, value, help)->type_name(type)->group("Input");
  };
  SampleSource& source = options.source;
  option("--samples", source.samples, "table with one row per volume: path (relative to the table), volume, target ...",
         "FILE");
  option("--participants", source.participants, "table with one row per participant, for --images or --bids", "FILE");
  option("--images", source.images,
         "the volume of a row, such as 'sub-{participant_id}/con_{run}.nii.gz'; * and ? stand for any characters",
         "TEMPLATE");
  option("--bids", source.bids, "folder of derivatives: the volume of a participant is found by --entities", "DIR");
  option("--entities", source.entities, "what its name must have, such as task-rest_desc-alff_bold", "PARTS");
  app.add_flag("--several", source.several, "a row may have several files (runs, sessions): each is a sample")
      ->group("Input");
  app.add_flag("--skip-missing", source.skip_missing, "leave out rows whose file does not exist")->group("Input");
  app.add_flag("--allow-outside", source.allow_outside, "volumes may lie outside the folder of the table")
      ->group("Input");
  option("--array", options.array, "volumes: samples x I1 x I2 x I3, float32 or float64", "X.npy");
  option("--labels", options.labels, "table with a header and one row per sample, in the same order", "FILE");
  option("--target", options.target, "column to predict; may be left out where there is one beside the ids", "COL");
  if (purpose != Purpose::predict) {
    option("--positive", options.positive, "classify: this value is +1, every other -1", "VALUE");
    app.add_flag("--classes", options.classes, "classify: every value is a class, told from the rest")->group("Input");
  }
  const bool learns = purpose != Purpose::predict;
  if (learns) {
    option("--weights", options.weights, "column with the samples' weights in training; scores count all alike", "COL");
    option("--site", options.site, "column of scanners or sites, for the report (default: site where there is one)",
           "COL|none");
    option("--mask", options.mask,
           "voxels to use: a file (not 0), auto: those that (nearly) all volumes cover, union: those that one covers, "
           "none: "
           "all (default: auto, arrays none)",
           "FILE|auto|union|none");
    app.add_flag("--drop-missing", options.drop_missing, "leave out samples whose target is missing")->group("Input");
  }
  if (purpose == Purpose::fit)
    app.add_option("--resize", options.resize, "volumes on a coarser grid: the factor of their extents, such as 0.5")
        ->capture_default_str()
        ->group("Input");
  add_flags(app, "Input", options.volumes);
  option("--cache", options.cache, "keep loaded volumes in this folder, so that the next start is instant", "DIR");
}

}  // namespace sturm::cli
