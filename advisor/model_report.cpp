// SPDX-License-Identifier: Apache-2.0
// Wording of model checks.
#include "advisor/model_report.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "search/observe.hpp"

namespace osdtune {

std::vector<ModelCheck> check_study(const Study& study) {
  return check_model(make_task(study), observe(study));
}

std::string to_text(const std::vector<ModelCheck>& checks, bool verbose) {
  std::string out;
  for (const auto& check : checks) {
    out += fmt::format("{}: {}\n", check.objective,
                       check.passed ? "the model passes its own check" : "the model FAILS its own check");
    out += fmt::format("  leave-one-out: {:.0f} % of {} trials inside their 95 % interval, Q2 {:.2f}\n",
                       100 * check.covered, check.measured.size(), check.explained);
    out += fmt::format("  noise of a trial: {:.1f} %\n", 100 * check.noise);
    if (check.drift)
      out += fmt::format("  drift from the first to the last trial: {:+.1f} % (+- {:.1f})\n",
                         100 * *check.drift, 100 * check.drift_sd.value_or(0));
    for (std::size_t i = 0; verbose && i < check.measured.size(); ++i)
      out += fmt::format("    measured {:>10}  predicted {:>10} ({} .. {}){}\n",
                         format_number(check.measured[i]), format_number(check.predicted[i]),
                         format_number(check.low[i]), format_number(check.high[i]),
                         check.disturbed[i] > 0.5 ? "  disturbed" : "");
  }
  return out;
}

Json to_json(const std::vector<ModelCheck>& checks) {
  Json list = Json::array();
  for (const auto& check : checks) {
    Json json = {{"objective", check.objective}, {"passed", check.passed}, {"covered", check.covered},
                 {"explained", check.explained}, {"noise", check.noise},   {"measured", check.measured},
                 {"predicted", check.predicted}, {"low", check.low},       {"high", check.high}};
    if (check.drift) json["drift"] = *check.drift;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace osdtune
