// SPDX-License-Identifier: Apache-2.0
// Playing the planner forward.
#include "search/forecast.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "search/observe.hpp"

namespace osdtune {
namespace {

/// Trials played; longer sweeps are taken to go on in the same way.
constexpr int kPlayed = 40;
/// Seconds of a restart with settling and of everything else around a trial, as measured on a lab of two OSDs
/// (tests/bench/overhead.py), and of writing images.
constexpr double kRestartSeconds = 10;
constexpr double kTrialSeconds = 1.5;
constexpr double kWriteBytesPerSecond = 150e6;

Study empty_study(const Plan& plan, const Space& space) {
  Study study;
  study.header = StudyHeader{.plan = plan, .space = space};
  return study;
}

/// A response that does not depend on the configuration: nothing but noise to follow.
Observation flat(const Config& config, std::size_t time) {
  Random random(mix_seed(17, time));
  return {
      .config = config,
      .values = std::vector<double>{1000 * (1 + 0.02 * random.normal()), 10 * (1 + 0.02 * random.normal())},
      .time = static_cast<double>(time)};
}

}  // namespace

Forecast forecast(const Plan& plan, const Space& space) {
  Task task = make_task(empty_study(plan, space));
  task.constraints.clear();
  const int played = std::min(plan.budget.trials, kPlayed);
  std::vector<Observation> observations;
  Forecast forecast{.trials = plan.budget.trials};
  for (int i = 0; i < played; ++i) {
    const Config config = suggest(task, observations, plan.seed).config;
    const Change change =
        i == 0 ? Change::kRuntime : change_between(space, observations.back().config, config);
    forecast.restarts += change == Change::kRestart ? 1 : 0;
    forecast.redeploys += change == Change::kRedeploy ? 1 : 0;
    forecast.load_s += load_seconds(plan, change != Change::kRuntime || i == 0);
    observations.push_back(flat(config, observations.size()));
  }
  const double scale = static_cast<double>(plan.budget.trials) / played;
  forecast.restarts = static_cast<int>(forecast.restarts * scale);
  forecast.redeploys = static_cast<int>(forecast.redeploys * scale);
  forecast.load_s *= scale;
  const double prefill_s =
      static_cast<double>(plan.load.image_bytes) * count_images(plan) / kWriteBytesPerSecond;
  forecast.change_s = kTrialSeconds * plan.budget.trials + kRestartSeconds * (forecast.restarts + 1) +
                      (2 * kRestartSeconds + prefill_s) * forecast.redeploys + prefill_s;
  return forecast;
}

}  // namespace osdtune
