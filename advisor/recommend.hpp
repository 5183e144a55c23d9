// SPDX-License-Identifier: Apache-2.0
// From a study alone: the trade-off, one choice with its gain and its uncertainty, and the reasons, in words
// and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/observe.hpp"
#include "search/planner.hpp"
#include "search/study.hpp"

namespace osdtune {

/// What the reader may want otherwise than the plan did.
struct RecommendWish {
  std::optional<Preference> prefer;
  std::optional<double> max_p99_ms;  ///< of the workload whose latency the goal minimises
};

struct Recommendation {
  Conclusion conclusion;
  std::vector<std::string>
      cautions;  ///< what limits the value of the answer: short runs, simulated, lost runs, ...
};

/// Throws Error{kInput} if the study has no feasible trial.
Recommendation recommend(Study study, const RecommendWish& wish);

/// For people. `verbose` adds the whole front and every infeasible trial.
std::string to_text(const Recommendation& recommendation, const Study& study, bool verbose);

Json to_json(const Recommendation& recommendation, const Study& study);

/// Settings in which `config` differs from the configuration as found.
Config changed_settings(const Config& config, const Space& space);

/// "+14.1 % (+9.0 .. +19.2)"
std::string gain_text(double gain, double low, double high);

}  // namespace osdtune
