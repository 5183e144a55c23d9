// SPDX-License-Identifier: Apache-2.0
// Pairs of trials, and Student's t interval of their log-ratios.
#include "search/verify.hpp"

#include <algorithm>
#include <cmath>

#include "search/observe.hpp"

namespace osdtune {
namespace {

constexpr const char* kReason = "verify";

/// The trials at the end of a study that verify one configuration.
std::vector<const Trial*> last_verification(const Study& study) {
  const Config found = default_config(study.header->space);
  std::vector<const Trial*> trials;
  std::optional<Config> verified;
  for (auto trial = study.trials.rbegin(); trial != study.trials.rend() && trial->reason == kReason;
       ++trial) {
    if (trial->config != found) {
      if (verified && *verified != trial->config) break;
      verified = trial->config;
    }
    trials.push_back(&*trial);
  }
  // Each begins with the configuration in question: what stands before it is the end of an earlier one.
  while (!trials.empty() && trials.back()->config == found) trials.pop_back();
  std::reverse(trials.begin(), trials.end());
  return trials;
}

/// Log-gain of `ours` over `found`; positive is better.
double log_gain(const Objective& objective, double ours, double found) {
  return (objective.maximize ? 1 : -1) * std::log(ours / found);
}

/// As a share of the value found, like Prediction::gain: 30 % less latency is +0.3.
std::optional<Interval> as_share(const Objective& objective, const std::optional<Interval>& logs) {
  if (!logs) return std::nullopt;
  const auto share = [&](double log) { return objective.maximize ? std::expm1(log) : -std::expm1(-log); };
  return Interval{share(logs->value), share(logs->low), share(logs->high)};
}

}  // namespace

Schedule verify_schedule(const Study& study, const Config& config, int pairs) {
  const auto begun = last_verification(study);
  const bool continued = !begun.empty() && begun.front()->config == config;
  const std::size_t start = study.trials.size() - (continued ? begun.size() : 0);
  const std::size_t end = start + 2 * static_cast<std::size_t>(pairs);
  return {.trials = static_cast<int>(end), .next = [=](const Study& now) -> std::optional<Suggestion> {
            if (now.trials.size() >= end) return std::nullopt;
            const std::size_t turn = (now.trials.size() - start) % 4;  // A B B A
            const bool ours = turn == 0 || turn == 3;
            return Suggestion{ours ? config : default_config(now.header->space), kReason, {}};
          }};
}

std::optional<Verification> verification_of(const Study& study) {
  const auto trials = last_verification(study);
  if (trials.empty()) return std::nullopt;
  const Task task = make_task(study);
  Verification out{.config = trials.front()->config};
  for (const auto& objective : task.objectives) out.objectives.push_back(objective.name);
  std::vector<std::vector<double>> logs(task.objectives.size());
  for (std::size_t i = 0; i + 1 < trials.size(); i += 2) {
    const bool first_is_ours = trials[i]->config == out.config;
    const auto ours = objective_values(study, *trials[first_is_ours ? i : i + 1]);
    const auto base = objective_values(study, *trials[first_is_ours ? i + 1 : i]);
    if (!ours) ++out.failed;
    if (!ours || !base) continue;
    ++out.pairs;
    for (std::size_t k = 0; k < logs.size(); ++k)
      logs[k].push_back(log_gain(task.objectives[k], (*ours)[k], (*base)[k]));
  }
  bool better = false, worse = false;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    out.gain.push_back(as_share(task.objectives[k], mean_interval(logs[k])));
    better = better || (out.gain.back() && out.gain.back()->low > 0);
    worse = worse || (out.gain.back() && out.gain.back()->high < 0);
  }
  out.confirmed = better && !worse && out.failed == 0;
  return out;
}

}  // namespace osdtune
