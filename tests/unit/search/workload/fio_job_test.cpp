// SPDX-License-Identifier: Apache-2.0
// The job file that fio gets.
#include "search/workload/fio_job.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "core/error.hpp"
#include "core/json_file.hpp"
#include "core/process.hpp"

using namespace osdtune;
using doctest::Contains;

namespace {

const LoadTarget kTarget{.conf = "/etc/ceph/ceph.conf",
                         .client = "client.admin",
                         .pool = "osdtune",
                         .images = {"img0"},
                         .image_bytes = 1 << 30};

std::string text_of(const WorkloadSpec& spec, const RunLength& length = {}) {
  return job_file(spec, kTarget, "img0", length);
}

doctest::String complaint(const WorkloadSpec& spec, const LoadTarget& target = kTarget,
                          const RunLength& length = {}) {
  try {
    job_file(spec, target, target.images.at(0), length);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

bool has_line(const std::string& text, const std::string& line) {
  return text.find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("the job file of a mixed load is as expected, line by line") {
  const WorkloadSpec spec{.name = "rw4k", .rw = "randrw", .iodepth = 16, .jobs = 2, .rwmixread = 70};
  CHECK(text_of(spec) == load_text(OSDTUNE_SOURCE_DIR "/tests/data/fio/rw4k.fio"));
}

TEST_CASE("fio itself accepts the job file") {
  const std::string file = "/tmp/osdtune_fio_job_test_" + std::to_string(::getpid()) + ".fio";
  for (const char* rw : {"read", "write", "rw", "randread", "randwrite", "randrw"}) {
    const WorkloadSpec spec{.name = "w", .rw = rw, .bs = 65536, .jobs = 3};
    save_text(file, text_of(spec, {.ramp_s = 0.25, .runtime_s = 1.5}));
    const auto result = run({.argv = {"fio", "--parse-only", file}});
    CAPTURE(result.err);
    CHECK(result.ok());
    CHECK(result.err.empty());
  }
  std::filesystem::remove(file);
}

TEST_CASE("fractions of a second are given to fio in milliseconds") {
  const std::string text = text_of({.name = "w"}, {.ramp_s = 0.5, .runtime_s = 2.25});
  CHECK(has_line(text, "ramp_time=500ms"));
  CHECK(has_line(text, "runtime=2250ms"));
  CHECK(text_of({.name = "w"}, {.ramp_s = 0, .runtime_s = 3}).find("ramp_time") == std::string::npos);
}

TEST_CASE("sequential jobs on one image get a part each, random ones share it") {
  const std::string text = text_of({.name = "w", .rw = "write", .bs = 65536, .jobs = 3});
  CHECK(has_line(text, "size=357892096"));  // 5461 blocks, a third of 16384
  CHECK(has_line(text, "offset_increment=357892096"));
  CHECK(text.find("norandommap") == std::string::npos);
  CHECK(text_of({.name = "w", .rw = "randwrite", .jobs = 3}).find("offset_increment") == std::string::npos);
  CHECK(text_of({.name = "w", .rw = "write"}).find("offset_increment") == std::string::npos);
}

TEST_CASE("what cannot be a load is refused with the workload's name") {
  CHECK(complaint({.name = "w"}) == "accepted");
  CHECK(complaint({.name = "w", .rw = "trim"}) == Contains("workload 'w': rw is 'trim'"));
  CHECK(complaint({.name = "w", .bs = 0}) == Contains("must be positive"));
  CHECK(complaint({.name = "w", .iodepth = 0}) == Contains("must be positive"));
  CHECK(complaint({.name = "w", .jobs = -1}) == Contains("must be positive"));
  CHECK(complaint({.name = "w", .bs = 1 << 30, .jobs = 2}) == Contains("do not fit"));
  CHECK(complaint({.name = "w", .rwmixread = 50}) == Contains("for rw and randrw only"));
  CHECK(complaint({.name = "w", .rw = "rw", .rwmixread = 101}) == Contains("not a percentage"));
  CHECK(complaint({.name = "w"}, kTarget, {.ramp_s = -1, .runtime_s = 1}) == Contains("cannot run"));
  CHECK(complaint({.name = "w"}, kTarget, {.ramp_s = 0, .runtime_s = 0}) == Contains("cannot run"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(complaint({.name = "w"}, kTarget, {.ramp_s = 0, .runtime_s = nan}) == Contains("cannot run"));
}

TEST_CASE("a name cannot smuggle another option into the job file") {
  for (const char* name :
       {"", "a\nexec_prerun=touch /tmp/x", "a;b", "a#b", "$jobname", "a b", "a:b", "\"a\""}) {
    CAPTURE(name);
    LoadTarget target = kTarget;
    target.images = {name};
    CHECK(complaint({.name = "w"}, target) == Contains("cannot be written into a fio job file"));
    target = kTarget;
    target.pool = name;
    CHECK(complaint({.name = "w"}, target) == Contains("cannot be written into a fio job file"));
  }
  LoadTarget target = kTarget;
  target.client = "mgr.x";
  CHECK(complaint({.name = "w"}, target) == Contains("not a client"));
  target.client = "client.";
  CHECK(complaint({.name = "w"}, target) == Contains("not a client"));
}
