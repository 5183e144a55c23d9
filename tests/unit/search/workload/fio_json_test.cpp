// SPDX-License-Identifier: Apache-2.0
// Reading what fio wrote. The v3 documents under tests/data/fio come from fio 3.33, the v2 ones are made
// after the shapes of 2.1 to 2.19.
#include "search/workload/fio_json.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/json_file.hpp"

using namespace osdtune;
using doctest::Approx;
using doctest::Contains;

namespace {

FioResult load(const std::string& name) {
  return parse_fio_json(load_text(std::string(OSDTUNE_SOURCE_DIR "/tests/data/fio/") + name), name);
}

const FioDirection& only_direction(const FioResult& result) {
  REQUIRE(result.jobs.size() == 1);
  REQUIRE(result.jobs[0].directions.size() == 1);
  return result.jobs[0].directions[0];
}

std::string with_write(const std::string& fields) {
  return R"({"jobs": [{"jobname": "a", "write": {)" + fields + "}}]}";
}

}  // namespace

TEST_CASE("fio 3 gives nanoseconds, bytes and operations") {
  const FioResult result = load("v3_json.json");
  CHECK(result.version == "fio-3.33");
  CHECK(result.warnings.empty());
  const auto& write = only_direction(result);
  CHECK(write.iops == 2000);
  CHECK(write.bandwidth == 8192000);
  CHECK(write.operations == 1000);
  CHECK(write.runtime_s == 0.5);
  REQUIRE(write.latency);
  CHECK(write.latency->percentile_ms.at(50) == Approx(330e-6));
  CHECK(write.latency->percentile_ms.at(99.9) == Approx(2480e-6));
  CHECK(write.latency->bins.empty());
  CHECK(*result.jobs[0].cpu_seconds == Approx(0.07 * 0.5).epsilon(0.2));
}

TEST_CASE("fio 2.1 gives microseconds and KiB/s, and does not count operations") {
  const FioResult result = load("v2_1.json");
  const auto& write = only_direction(result);
  CHECK(write.iops == 4369);
  CHECK(write.bandwidth == 17476 * 1024);
  CHECK(write.operations == Approx(4369 * 60.001));
  CHECK(write.latency->mean_ms == Approx(2.73155));
  CHECK(write.latency->percentile_ms.at(99) == Approx(10.944));
  CHECK_FALSE(write.latency->percentile_ms.contains(0));  // filler of old versions
  CHECK_FALSE(result.jobs[0].cpu_seconds);                // per cent of an unknown number of jobs
}

TEST_CASE("the version line of old rbd engines becomes a warning") {
  const FioResult result = load("v2_rbd_version_line.json");
  CHECK(result.warnings == std::vector<std::string>{"rbd engine: RBD version: 1.12.0"});
  CHECK(only_direction(result).iops == Approx(2787.51));
  CHECK(*result.jobs[0].thread_cpu == Approx(0.25));
  CHECK_FALSE(result.jobs[0].cpu_seconds);  // fio does not see the threads of librbd
}

TEST_CASE("fio 2 numbers its histogram bins, fio 3 names them by value") {
  const FioResult old = load("v2_bins.json");
  const std::map<double, double> expected = {{0.1, 500}, {0.29, 400}, {1.032, 100}};
  REQUIRE(only_direction(old).latency->bins.size() == 3);
  for (const auto& [value, count] : expected) {
    const auto it = only_direction(old).latency->bins.lower_bound(value - 1e-9);
    CHECK(it->first == Approx(value));
    CHECK(it->second == count);
  }
  CHECK(*old.jobs[0].cpu_seconds == Approx(0.125 * 2));  // two jobs of one second
  double operations = 0;
  const FioResult mixed = load("v3_mixed_bins.json");
  for (const auto& [value, count] : mixed.jobs[0].directions[0].latency->bins) operations += count;
  CHECK(operations == 2000);
}

TEST_CASE("the middle of a histogram bin is the one fio prints") {
  CHECK(fio_bin_value(0, 6) == 0);
  CHECK(fio_bin_value(127, 6) == 127);
  CHECK(fio_bin_value(128, 6) == 129);
  CHECK(fio_bin_value(200, 6) == 290);
  CHECK(fio_bin_value(320, 6) == 1032);
}

TEST_CASE("reads and writes of a mixed load stay apart") {
  const FioResult result = load("v3_mixed_bins.json");
  REQUIRE(result.jobs.size() == 1);
  REQUIRE(result.jobs[0].directions.size() == 2);
  CHECK(result.jobs[0].directions[0].latency->percentile_ms.at(99) == Approx(231e-6));
  CHECK(result.jobs[0].directions[1].latency->percentile_ms.at(99) == Approx(191e-6));
}

TEST_CASE("the sum that unified_rw_reporting=both adds is not counted again") {
  const FioResult result = load("v3_unified_both.json");
  REQUIRE(result.jobs[0].directions.size() == 2);
  CHECK(result.jobs[0].directions[0].iops + result.jobs[0].directions[1].iops == Approx(4002));
}

TEST_CASE("the sum over all clients is not a job") {
  const FioResult result = load("v3_two_clients.json");
  REQUIRE(result.jobs.size() == 2);
  CHECK(result.jobs[0].name == "a");
  CHECK(result.jobs[0].host == "127.0.0.1");
}

TEST_CASE("a document that holds nothing but the sum over all clients counts") {
  const FioResult result = load("v2_only_all_clients.json");
  const auto& mixed = only_direction(result);
  CHECK(mixed.iops == Approx(2252.49));
  CHECK(mixed.latency->mean_ms == Approx(1.78292));
  CHECK(mixed.latency->percentile_ms.empty());
}

TEST_CASE("no measured latency is unknown, not zero") {
  CHECK_FALSE(only_direction(load("v3_gtod_reduce.json")).latency);
}

TEST_CASE("percentiles of the total latency are found where completion latency has none") {
  const FioResult result = load("v3_lat_percentiles.json");
  CHECK_FALSE(only_direction(result).latency->bins.empty());
}

TEST_CASE("messages around the document are kept and long ones cut") {
  std::string noise;
  for (int i = 0; i < 50; ++i) noise += "fio: io_u error " + std::to_string(i) + "\n";
  const std::string document = with_write(R"("iops": 1, "bw": 4, "runtime": 1000)");
  const FioResult result = parse_fio_json(noise + document + "\n\nbye\n", "x");
  REQUIRE(result.warnings.size() == 21);
  CHECK(result.warnings[0] == "fio: io_u error 0");
  CHECK(result.warnings[20] == "(31 more lines)");
  CHECK(parse_fio_json(document + "trailing }", "x").warnings == std::vector<std::string>{"trailing }"});
  CHECK(parse_fio_json(R"({"jobs": [{"jobname": "}{\"", "read": {"iops": 0, "bw": 0, "runtime": 0}}]})", "x")
            .jobs[0]
            .name == "}{\"");
}

TEST_CASE("a cut document is refused with line and column") {
  const std::string text = load_text(OSDTUNE_SOURCE_DIR "/tests/data/fio/v3_json.json");
  CHECK_THROWS_WITH_AS(parse_fio_json("warning\n" + text.substr(0, 400), "cut.json"),
                       Contains("cut.json: line "), Error);
  CHECK_THROWS_WITH_AS(parse_fio_json("one\ntwo\n{\n \"jobs\" : nan }", "x"), Contains("x: line 4, column "),
                       Error);
}

TEST_CASE("text without a document is refused with its first line") {
  CHECK_THROWS_WITH_AS(parse_fio_json("fio: failed parsing rw=foo\n", "x"), Contains("failed parsing rw=foo"),
                       Error);
  CHECK_THROWS_WITH_AS(parse_fio_json("", "x"), Contains("is empty"), Error);
}

TEST_CASE("fields that are missing, of the wrong type or unbelievable are refused by name") {
  const auto message = [](const std::string& text) -> doctest::String {
    try {
      parse_fio_json(text, "x");
    } catch (const Error& e) {
      return e.what();
    }
    return "accepted";
  };
  CHECK(message("{}") == Contains("\"jobs\" is missing"));
  CHECK(message(R"({"jobs": 3})") == Contains("not a list"));
  CHECK(message(R"({"jobs": [3]})") == Contains("jobs[0]: expected an object"));
  CHECK(message(R"({"jobs": [{"jobname": "a"}]})") == Contains("neither \"read\""));
  CHECK(message(with_write(R"("bw": 1, "runtime": 1)")) == Contains("jobs[0].write: the field \"iops\""));
  CHECK(message(with_write(R"("iops": "many", "bw": 1, "runtime": 1)")) == Contains("expected a number"));
  CHECK(message(with_write(R"("iops": -1, "bw": 1, "runtime": 1)")) == Contains("\"iops\" is -1"));
  CHECK(message(with_write(R"("iops": 1e300, "bw": 1, "runtime": 1)")) == Contains("\"iops\" is 1e+300"));
  const std::string good = R"("iops": 1, "bw": 4, "runtime": 1000, "clat": )";
  CHECK(message(with_write(good + R"({"mean": 1, "percentile": {"high": 3}})")) ==
        Contains("not a percentile"));
  CHECK(message(with_write(good + R"({"mean": 1, "percentile": {"101.0": 3}})")) ==
        Contains("not a percentile"));
  CHECK(message(with_write(good + R"({"mean": 1, "bins": {"10": -3}})")) == Contains("not a bin"));
  CHECK(message(with_write(good + R"({"mean": 1, "bins": {"FIO_IO_U_PLAT_BITS": 99}})")) ==
        Contains("BITS is 99"));
  CHECK(message(with_write(good + "7")) == Contains("clat: expected an object"));
}
