// SPDX-License-Identifier: Apache-2.0
// A study holds all that was measured, also after a crash.
#include "search/study.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "core/error.hpp"
#include "tests/unit/search/builders.hpp"

using namespace osdtune;
using osdtune::test::TestFolder;

namespace {

StudyHeader small_header() {
  StudyHeader header{.plan = test::small_plan(),
                     .target = "sim:x",
                     .simulated = true,
                     .fsid = "f",
                     .release = "18.2.7",
                     .tool_version = "0",
                     .created = "now"};
  header.space.settings = {{.name = "osd_op_num_shards",
                            .kind = SettingKind::kInteger,
                            .low = 4,
                            .high = 16,
                            .log = true,
                            .values = {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}},
                            .default_value = std::int64_t{8},
                            .change = Change::kRestart},
                           {.name = "debug_osd",
                            .kind = SettingKind::kCategory,
                            .values = {std::string("1/5"), std::string("20/20")},
                            .default_value = std::string("1/5")}};
  header.stored = {{.section = "osd", .mask = "class:ssd", .name = "debug_osd", .value = "2/2"}};
  header.debug_names = {"debug_osd"};
  return header;
}

void write_small_study(const std::filesystem::path& path) {
  StudyFile file(path);
  file.begin(small_header());
  file.add_trial({.config = {{"osd_op_num_shards", std::int64_t{8}}, {"debug_osd", std::string("1/5")}},
                  .reason = "baseline",
                  .promise = {}},
                 0);
  file.add_run({.run = {.workload = "rw4k", .iops = 100, .runtime_s = 60, .p99_ms = 5.0},
                .counted = false,
                .why_not = "cold",
                .at = 1});
  file.add_run({.run = {.workload = "rw4k", .iops = 110, .runtime_s = 60}, .at = 2});
  file.add_lost_run({.workload = "rw4k", .why = "fio was killed", .at = 3});
  file.add_verdict({.feasible = true, .seconds = {{"measuring", 120.0}}});
  file.add_seconds({{"prefill", 3.0}});
}

}  // namespace

TEST_CASE("what was appended to a study is read back") {
  const TestFolder folder;
  write_small_study(folder / "s.jsonl");
  const Study study = load_study(folder / "s.jsonl");
  CHECK(study.header->space == small_header().space);
  CHECK(study.header->plan == small_header().plan);
  CHECK(study.header->stored == small_header().stored);
  REQUIRE(study.trials.size() == 1);
  CHECK(study.trials[0].runs.size() == 2);
  CHECK(study.trials[0].runs[0].run.p99_ms == 5.0);
  CHECK_FALSE(study.trials[0].runs[1].run.p99_ms.has_value());
  CHECK(study.trials[0].lost[0].why == "fio was killed");
  CHECK(counted_runs(study.trials[0], "rw4k").size() == 1);
  CHECK(study.trials[0].verdict->seconds.at("measuring") == 120.0);
  CHECK(study.seconds.at("prefill") == 3.0);
}

TEST_CASE("a torn last line is dropped and reported, the rest stays") {
  const TestFolder folder;
  write_small_study(folder / "s.jsonl");
  std::ofstream(folder / "s.jsonl", std::ios::app) << R"({"event":"trial","id":1,"con)";
  std::string torn;
  CHECK(load_study(folder / "s.jsonl", &torn).trials.size() == 1);
  CHECK(torn == R"({"event":"trial","id":1,"con)");
  StudyFile file(folder / "s.jsonl");
  CHECK(file.torn() == torn);
  file.add_trial({.config = {{"osd_op_num_shards", std::int64_t{4}}, {"debug_osd", std::string("1/5")}},
                  .reason = "initial",
                  .promise = {}},
                 4);
  CHECK(load_study(folder / "s.jsonl").trials.size() == 2);
}

TEST_CASE("a study cut at any byte can be read as far as it was whole") {
  const TestFolder folder;
  write_small_study(folder / "s.jsonl");
  const std::string text = load_text(folder / "s.jsonl");
  for (std::size_t length = 0; length <= text.size(); length += 7) {
    std::string torn;
    const auto lines = parse_json_lines(text.substr(0, length), "cut", &torn);
    CHECK_NOTHROW(study_from_lines(lines, "cut"));
  }
}

TEST_CASE("a full disk stops a study before the line, not within it") {
  const TestFolder folder;
  write_small_study(folder / "s.jsonl");
  const auto size = std::filesystem::file_size(folder / "s.jsonl");
  rlimit before = {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  StudyFile file(folder / "s.jsonl");
  const rlimit full = {.rlim_cur = size + 20,
                       .rlim_max = before.rlim_max};  // room for a piece of the next line
  ::setrlimit(RLIMIT_FSIZE, &full);
  CHECK_THROWS_WITH_AS(file.add_seconds({{"prefill", 1.0}}), doctest::Contains("cannot append to"), Error);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  CHECK(std::filesystem::file_size(folder / "s.jsonl") == size);
  CHECK(load_study(folder / "s.jsonl").trials.size() == 1);
}

TEST_CASE("a broken line inside a study is located") {
  const TestFolder folder;
  std::ofstream(folder / "s.jsonl") << "{\"event\":\"trial\"}\n";
  CHECK_THROWS_WITH_AS(load_study(folder / "s.jsonl"),
                       doctest::Contains("s.jsonl:1: the first line of a study is its header"), Error);
}

TEST_CASE("a study of another space, release or cluster is not mixed with") {
  const StudyHeader header = small_header();
  CHECK_NOTHROW(check_same_experiment(header, header));
  StudyHeader other = header;
  other.release = "16.2.15";
  CHECK_THROWS_WITH_AS(check_same_experiment(header, other),
                       doctest::Contains("Ceph 18.2.7, the cluster runs 16.2.15"), Error);
  other = header;
  other.plan.space[0].values.pop_back();
  CHECK_THROWS_WITH_AS(check_same_experiment(header, other), doctest::Contains("another space"), Error);
  other = header;
  other.plan.budget.trials = 1000;
  CHECK_NOTHROW(check_same_experiment(header, other));
}
