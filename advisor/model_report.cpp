// SPDX-License-Identifier: Apache-2.0
// Wording of model checks.
#include "advisor/model_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "search/observe.hpp"

namespace osdtune {

namespace {

constexpr int kPlotHalf = 16;     ///< characters from the middle of a plot to its edge
constexpr double kPlotRange = 4;  ///< standard deviations shown to each side

/// Where in a line a residual stands; the edges hold whatever is further out.
std::string plotted(double residual) {
  std::string line(2 * kPlotHalf + 1, ' ');
  line[kPlotHalf] = '|';
  const double place = std::clamp(residual / kPlotRange, -1.0, 1.0) * kPlotHalf;
  line[static_cast<std::size_t>(kPlotHalf + std::lround(place))] = '*';
  return line;
}

/// One line per trial: measured, predicted from all others, and the difference in standard deviations as a
/// plot.
std::string residuals_text(const ModelCheck& check) {
  std::string out = fmt::format("    {:>10} {:>10}  {:^{}}\n", "measured", "predicted",
                                "-4 sd       difference       +4 sd", 2 * kPlotHalf + 1);
  for (std::size_t i = 0; i < check.measured.size(); ++i) {
    const double sd = (check.high[i] - check.low[i]) / (2 * 1.96);
    const double residual = sd > 0 ? (check.measured[i] - check.predicted[i]) / sd : 0;
    out += fmt::format("    {:>10} {:>10}  {}{}\n", format_number(check.measured[i]),
                       format_number(check.predicted[i]), plotted(residual),
                       check.disturbed[i] > 0.5 ? "  disturbed" : "");
  }
  return out;
}

}  // namespace

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
    if (verbose) out += residuals_text(check);
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
