// SPDX-License-Identifier: Apache-2.0
// The real fio without a cluster: what can go wrong before any load. tests/live/fio_test.py has the rest.
#include "search/workload/fio.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/json_file.hpp"

using namespace osdtune;
using namespace std::chrono_literals;
using doctest::Contains;

namespace {

LoadTarget target_with(const std::string& conf) {
  return {.conf = conf, .client = "client.admin", .pool = "p", .images = {"a", "b"}, .image_bytes = 1 << 24};
}

const RunLength kShort{.ramp_s = 0, .runtime_s = 0.1};

}  // namespace

TEST_CASE("the installed fio can make the load") {
  CHECK_NOTHROW(Fio().check());
}

TEST_CASE("a missing fio is named with the package that has it") {
  try {
    Fio({.program = "no-such-fio"}).check();
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::kCluster);
    CHECK(doctest::String(e.what()) == Contains("'no-such-fio' is not installed"));
    CHECK(e.hint() == "install it: apt-get install fio");
  }
}

TEST_CASE("a program that is not fio 3 is refused with what it says") {
  CHECK_THROWS_WITH_AS(Fio({.program = "true"}).check(), Contains("fio 3.0 or newer is needed"), Error);
  CHECK_THROWS_WITH_AS(Fio({.program = "cat"}).check(), Contains("says 'cat (GNU coreutils)"), Error);
}

TEST_CASE("a fio without the rbd engine is refused") {
  const auto program = std::filesystem::temp_directory_path() / fmt::format("osdtune-no-rbd-{}", ::getpid());
  save_text(program,
            "#!/bin/sh\n[ \"$1\" = --version ] && echo fio-3.33 && exit 0\necho fio: engine rbd not "
            "loadable; exit 1\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  CHECK_THROWS_WITH_AS(Fio({.program = program.string()}).check(),
                       Contains("was built without its rbd engine"), Error);
  std::filesystem::remove(program);
}

TEST_CASE("a fio that cannot find its cluster is a failed run that quotes fio") {
  std::stop_source stop;
  CHECK_THROWS_WITH_AS(
      Fio().run({.name = "w"}, target_with("/nonexistent/ceph.conf"), kShort, stop.get_token()),
      Contains("fio on image a failed with exit code 1; it said: rados_conf_read_file failed"), TrialError);
}

TEST_CASE("an interrupted run says so, and not that fio failed") {
  std::stop_source stop;
  stop.request_stop();
  try {
    Fio().run({.name = "w", .images = 2}, target_with("/nonexistent/ceph.conf"), kShort, stop.get_token());
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::kInterrupted);
  }
}

TEST_CASE("more images than the target has are refused") {
  std::stop_source stop;
  CHECK_THROWS_WITH_AS(Fio().run({.name = "w", .images = 3}, target_with("x"), kShort, stop.get_token()),
                       Contains("needs 3 images, there are 2"), Error);
  CHECK_THROWS_AS(Fio().run({.name = "w", .images = 0}, target_with("x"), kShort, stop.get_token()), Error);
}
