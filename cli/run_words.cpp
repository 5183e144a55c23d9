// SPDX-License-Identifier: Apache-2.0
// Reading runs from words.
#include "cli/run_words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "search/workload/fio_json.hpp"
#include "search/workload/fio_run.hpp"

namespace osdtune {
namespace {

std::pair<std::string, std::string> split(const std::string& words, char at, const std::string& expected) {
  const auto place = words.find(at);
  if (place == std::string::npos || place == 0 || place + 1 == words.size())
    throw Error(ErrorKind::kUsage, fmt::format("'{}': expected {}", words, expected));
  return {words.substr(0, place), words.substr(place + 1)};
}

double positive_number(const std::string& text, const std::string& name) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0)
    throw Error(ErrorKind::kUsage, fmt::format("{}: expected a number above zero, found '{}'", name, text));
  return value;
}

void set_metric(Run& run, const std::string& name, double value) {
  if (name == "iops")
    run.iops = value;
  else if (name == "bandwidth")
    run.bandwidth = value;
  else if (name == "runtime_s")
    run.runtime_s = value;
  else if (name == "mean_ms")
    run.mean_ms = value;
  else if (name == "p50_ms")
    run.p50_ms = value;
  else if (name == "p95_ms")
    run.p95_ms = value;
  else if (name == "p99_ms")
    run.p99_ms = value;
  else if (name == "p999_ms")
    run.p999_ms = value;
  else
    throw Error(ErrorKind::kUsage, fmt::format("'{}' is not a metric", name),
                "known are iops, bandwidth, runtime_s, mean_ms, p50_ms, p95_ms, p99_ms, p999_ms");
}

}  // namespace

Run run_from_words(const std::string& words) {
  const auto [workload, metrics] = split(words, ':', "WORKLOAD:iops=N,p99_ms=N");
  Run run{.workload = workload};
  std::istringstream parts(metrics);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto [name, value] = split(part, '=', "a metric and its value, like iops=21000");
    set_metric(run, name, positive_number(value, name));
  }
  return run;
}

Run run_from_fio(const std::string& words) {
  const auto [workload, file] = split(words, '=', "WORKLOAD=FILE");
  return to_run({parse_fio_json(load_text(file), file)}, workload);
}

}  // namespace osdtune
