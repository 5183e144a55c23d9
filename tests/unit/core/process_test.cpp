// SPDX-License-Identifier: Apache-2.0
// Child processes end when they should and say how.
#include "core/process.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>

#include "core/error.hpp"
#include "core/json_file.hpp"

using namespace osdtune;
using namespace std::chrono_literals;

TEST_CASE("a program's words and exit code come back apart") {
  const auto result = run({.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"}});
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK(result.exit_code == 3);
  CHECK_FALSE(result.ok());
}

TEST_CASE("arguments are not read by a shell") {
  CHECK(run({.argv = {"echo", "$HOME; `id`"}}).out == "$HOME; `id`\n");
}

TEST_CASE("a program that hangs is ended at its bound, its children with it") {
  const auto result = run({.argv = {"sh", "-c", "sleep 100 & sleep 100"}, .timeout = 100ms});
  CHECK(result.timed_out);
  CHECK(result.signal == SIGTERM);
}

TEST_CASE("a stop ends a program") {
  std::stop_source source;
  source.request_stop();
  const auto result = run({.argv = {"sleep", "100"}, .stop = source.get_token()});
  CHECK(result.stopped);
}

TEST_CASE("a program that is not installed is named") {
  CHECK_THROWS_WITH_AS(run({.argv = {"no-such-program"}}), "the program 'no-such-program' is not installed",
                       Error);
}

TEST_CASE("the environment is passed on with additions") {
  CHECK(run({.argv = {"sh", "-c", "echo $A_NAME$PATH"}, .environment = {{"A_NAME", "value"}}})
            .out.starts_with("value/"));
}

TEST_CASE("a daemon is known by pid and start time and can be ended") {
  const auto log = std::filesystem::temp_directory_path() / "osdtune_daemon_test.log";
  const ProcessId id = start_daemon({"sleep", "100"}, log);
  CHECK(is_running(id));
  CHECK_FALSE(is_running({.pid = id.pid, .start_ticks = id.start_ticks + 1}));
  CHECK_FALSE(send_signal({.pid = id.pid, .start_ticks = id.start_ticks + 1}, SIGKILL));
  CHECK(send_signal(id, SIGTERM));
  CHECK(wait_gone(id, 5s));
  std::filesystem::remove(log);
}
