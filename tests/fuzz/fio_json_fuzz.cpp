// SPDX-License-Identifier: Apache-2.0
// Any bytes as fio's output: either refused with words, or a run that is plain numbers and survives a round
// trip.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"
#include "search/workload/fio_run.hpp"

using namespace osdtune;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool plain(double value) {
  return std::isfinite(value) && value >= 0;
}

void check(const Run& run) {
  require(plain(run.iops) && run.iops > 0 && plain(run.bandwidth) && plain(run.runtime_s) &&
          run.runtime_s > 0);
  for (const auto& value : {run.mean_ms, run.p50_ms, run.p95_ms, run.p99_ms, run.p999_ms, run.client_cpu,
                            run.osd_cpu, run.job_cpu})
    require(!value || plain(*value));
  if (run.p50_ms && run.p95_ms && run.p99_ms)
    require(*run.p50_ms <= *run.p95_ms && *run.p95_ms <= *run.p99_ms);
  const std::string text = to_json(run).dump(-1, ' ', false, Json::error_handler_t::replace);
  require(to_json(run_from_json(parse_json(text, "run"), "run"))
              .dump(-1, ' ', false, Json::error_handler_t::replace) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const FioResult result = parse_fio_json({reinterpret_cast<const char*>(data), size}, "fuzz");
    check(to_run({result}, "w"));
    check(to_run({result, result}, "w"));
  } catch (const Error& e) {
    require(e.kind() == ErrorKind::kInput && e.what()[0] != '\0');
  } catch (const TrialError& e) {
    require(e.what()[0] != '\0');
  }
  return 0;
}
