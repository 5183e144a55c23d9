// SPDX-License-Identifier: Apache-2.0
// Writes fio's job file, and says why each line of it is there.
#include "search/workload/fio_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/error.hpp"

namespace osdtune {
namespace {

constexpr std::string_view kClientPrefix = "client.";

/// Which load it is; fio's other kinds (trim) are not loads we know the meaning of.
struct Pattern {
  std::string_view name;
  bool random = false;
  bool mixed = false;
};
constexpr Pattern kPatterns[] = {{"read"},           {"write"},           {"rw", false, true},
                                 {"randread", true}, {"randwrite", true}, {"randrw", true, true}};

[[noreturn]] void refuse(const WorkloadSpec& spec, const std::string& what, const std::string& hint = "") {
  throw Error(ErrorKind::kInput, fmt::format("workload '{}': {}", spec.name, what), hint);
}

const Pattern& pattern_of(const WorkloadSpec& spec) {
  for (const auto& pattern : kPatterns)
    if (pattern.name == spec.rw) return pattern;
  refuse(spec, fmt::format("rw is '{}'", spec.rw), "use one of read, write, rw, randread, randwrite, randrw");
}

/// fio gives a meaning to '#', ';', '$', ':' and quotes, and a line break would begin another option.
void check_name(const WorkloadSpec& spec, const std::string& what, const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+=@/").find(c) != std::string_view::npos;
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), plain))
    refuse(spec, fmt::format("the {} '{}' cannot be written into a fio job file", what, name),
           "use letters, digits and ._-+=@/ in that name");
}

void check(const WorkloadSpec& spec, const LoadTarget& target, const std::string& image,
           const RunLength& length) {
  const Pattern& pattern = pattern_of(spec);
  check_name(spec, "pool", target.pool);
  check_name(spec, "image", image);
  check_name(spec, "user", target.client);
  if (!target.client.starts_with(kClientPrefix) || target.client.size() == kClientPrefix.size())
    refuse(spec, fmt::format("the user '{}' is not a client", target.client), "name it like client.admin");
  if (spec.bs <= 0 || spec.iodepth <= 0 || spec.jobs <= 0)
    refuse(spec, "bs, iodepth and jobs must be positive");
  if (spec.bs > target.image_bytes / spec.jobs)
    refuse(spec, fmt::format("{} jobs with blocks of {} bytes do not fit an image of {} bytes", spec.jobs,
                             spec.bs, target.image_bytes));
  if (spec.rwmixread && !pattern.mixed) refuse(spec, "rwmixread is for rw and randrw only");
  if (spec.rwmixread && (*spec.rwmixread < 0 || *spec.rwmixread > 100))
    refuse(spec, fmt::format("rwmixread {} is not a percentage", *spec.rwmixread));
  const bool finite = std::isfinite(length.ramp_s) && std::isfinite(length.runtime_s);
  if (!finite || length.ramp_s < 0 || length.runtime_s < 0.001)
    refuse(spec, fmt::format("cannot run for {} s after a ramp of {} s", length.runtime_s, length.ramp_s));
}

/// Whole seconds, or milliseconds: fio takes no fractions of a unit.
std::string duration(double seconds) {
  const auto ms = std::llround(seconds * 1000);
  return ms % 1000 == 0 ? fmt::format("{}", ms / 1000) : fmt::format("{}ms", ms);
}

std::string random_access() {
  return
      // Blocks are drawn with replacement. fio's default visits each block once before any comes again, which
      // is no random load: towards the end of each pass the few blocks left decide, and the map costs memory
      // and time.
      "norandommap=1\n"
      // Not the same sequence each time: a run would rewrite just the blocks of the run before it, whose
      // metadata is in the OSDs' caches, and several images would be hit at the same offsets at the same
      // time.
      "randrepeat=0\n";
}

/// Each job its own part of the image: otherwise all jobs write the same blocks at the same time.
std::string sequential_parts(const WorkloadSpec& spec, const LoadTarget& target) {
  const std::int64_t part = target.image_bytes / spec.jobs / spec.bs * spec.bs;
  return fmt::format("size={0}\noffset_increment={0}\n", part);
}

}  // namespace

std::string job_file(const WorkloadSpec& spec, const LoadTarget& target, const std::string& image,
                     const RunLength& length) {
  check(spec, target, image, length);
  const bool random = pattern_of(spec).random;
  std::string text = "[global]\nioengine=rbd\n";
  text += fmt::format("clientname={}\npool={}\nrbdname={}\n", target.client.substr(kClientPrefix.size()),
                      target.pool, image);
  // librbd has no page cache to go around; this keeps the file honest where somebody points it at a kernel
  // device.
  text += "direct=1\n";
  // Drop what librbd cached of the image when it is opened. Whether librbd caches at all is the cluster's
  // rbd_cache.
  text += "invalidate=1\n";
  text += fmt::format("rw={}\nbs={}\niodepth={}\nnumjobs={}\n", spec.rw, spec.bs, spec.iodepth, spec.jobs);
  if (spec.rwmixread) text += fmt::format("rwmixread={}\n", *spec.rwmixread);
  // Random jobs share the whole image (fio takes its size from librbd).
  text += random ? random_access() : "";
  text += !random && spec.jobs > 1 ? sequential_parts(spec, target) : "";
  // Go on for the given time however small the image is, and count nothing of the warm-up.
  text += "time_based=1\n";
  if (length.ramp_s > 0) text += fmt::format("ramp_time={}\n", duration(length.ramp_s));
  text += fmt::format("runtime={}\n", duration(length.runtime_s));
  // One sum per process, with one histogram; and no job goes on alone after another has failed.
  text += "group_reporting=1\nexitall_on_error=1\n";
  text += "percentile_list=50:95:99:99.9\n";
  return text + fmt::format("\n[{}]\n", image);
}

}  // namespace osdtune
