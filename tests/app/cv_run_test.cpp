// SPDX-License-Identifier: BSD-3-Clause
// A cross-validation without the command line: as another front door would run it.
#include "sturm/app/cv_run.h"

#include <gtest/gtest.h>

#include <fstream>
#include <mutex>
#include <thread>

#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "temporary.h"

namespace sturm {
namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// 24 samples of 5x4x3 with a block that tells their labels, as X.npy and y.tsv.
void write_study(const std::filesystem::path& folder) {
  constexpr int samples = 24, voxels = 60;
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (24, 5, 4, 3), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream array(folder / "X.npy", std::ios::binary);
  array << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(header.size()) << '\0' << header;
  std::ofstream table(folder / "y.tsv");
  table << "participant_id\tgroup\n";
  Rng rng(5);
  for (int m = 0; m < samples; ++m) {
    for (int v = 0; v < voxels; ++v) {
      const auto value = static_cast<float>(rng.normal() + (v < 12 && m % 2 ? 1.5 : 0));
      array.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
    table << "s" << m << '\t' << (m % 2 ? "patient" : "control") << '\n';
  }
}

CvRequest request_in(const std::filesystem::path& folder, const std::string& output) {
  CvRequest out;
  out.input.array = folder / "X.npy";
  out.input.labels = folder / "y.tsv";
  out.input.target = "group";
  out.input.positive = "patient";
  out.options.methods = "sturm,svm";
  out.options.folds.outer = "3";
  out.options.folds.inner = "3";
  out.output = folder / output;
  out.work = folder / (output + ".work");
  out.report = false;
  return out;
}

/// Keeps what it is told; several threads may speak.
struct Listener : Events {
  void advance(double fraction, const std::string&) override {
    const std::lock_guard lock(mutex);
    fractions.push_back(fraction);
  }
  std::mutex mutex;
  std::vector<double> fractions;
};

CvDone run(const CvRequest& request, Events& events) {
  return run_cv<float>(request, load_study<float>(request.input, request.options, request.run, events), events);
}

TEST(CvRun, TellsHowItGoesAndPrintsNothing) {
  const test::TemporaryFolder folder;
  write_study(folder.path());
  Listener listener;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const CvDone done = run(request_in(folder.path(), "out"), listener);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(done.end, CvEnd::written);
  EXPECT_TRUE(std::filesystem::exists(folder / "out" / "results.json"));
  ASSERT_GT(listener.fractions.size(), 3U);
  for (std::size_t i = 1; i < listener.fractions.size(); ++i)
    ASSERT_GE(listener.fractions[i], listener.fractions[i - 1]) << "what was done stays done";
  EXPECT_LE(listener.fractions.back(), 1);
  EXPECT_EQ(run(request_in(folder.path(), "out"), listener).end, CvEnd::was_there);
}

// Two callers, each with its own number of threads, write the bytes that each writes alone.
TEST(CvRun, TwoAtATime) {
  const test::TemporaryFolder folder;
  write_study(folder.path());
  const auto run_with = [&](int threads, const std::string& output) {
    const UseThreads scope(threads);
    Events silent;
    run(request_in(folder.path(), output), silent);
  };
  run_with(1, "alone");
  std::thread other([&] { run_with(3, "other"); });
  run_with(2, "one");
  other.join();
  for (const char* file : {"folds.tsv", "predictions.tsv", "grid.tsv"}) {
    const std::string expected = bytes_of(folder / "alone" / file);
    EXPECT_FALSE(expected.empty()) << file;
    EXPECT_EQ(bytes_of(folder / "one" / file), expected) << file;
    EXPECT_EQ(bytes_of(folder / "other" / file), expected) << file;
  }
}

}  // namespace
}  // namespace sturm
