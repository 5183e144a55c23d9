// SPDX-License-Identifier: Apache-2.0
// Adding up the account of phases.
#include "cli/time_report.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace osdtune {
namespace {

std::map<std::string, double> add_up(const Study& study) {
  auto seconds = study.seconds;
  for (const auto& trial : study.trials)
    if (trial.verdict)
      for (const auto& [phase, spent] : trial.verdict->seconds) seconds[phase] += spent;
  return seconds;
}

}  // namespace

Json time_by_phase(const Study& study) {
  return Json(add_up(study));
}

std::string time_text(const Study& study) {
  const auto seconds = add_up(study);
  double total = 0;
  for (const auto& [phase, spent] : seconds) total += spent;
  std::string out = fmt::format("Time: {}\n", format_duration(total));
  for (const auto& [phase, spent] : seconds)
    if (spent >= 0.5)
      out += fmt::format("  {:<18} {:>8}  {:>3.0f} %\n", phase, format_duration(spent), 100 * spent / total);
  return out;
}

}  // namespace osdtune
