// SPDX-License-Identifier: Apache-2.0
// What the rules have to say about a world.
#pragma once

#include <string>
#include <vector>

#include "knowledge/rule.hpp"
#include "knowledge/world.hpp"

namespace osdtune {

/// One rule that fired, for all subjects for which it says the same.
struct Finding {
  std::string rule;
  std::string topic;
  Severity severity = Severity::kInfo;
  std::string text;               ///< one line, numbers filled in
  std::vector<std::string> also;  ///< further lines that call for the same, each with its place
  std::string why, advice, effect, risk, cost;
  double gain_percent = 0;
  std::vector<std::string> subjects;  ///< "osd.3", "host a", "[osd] osd_memory_target"
  std::vector<std::string> places;    ///< "ceph.conf:12"
  std::vector<std::string> sources;
  std::vector<std::string> sweep;
  std::vector<Finding> folded;  ///< symptoms of the same cause
};

/// Runs all rules over all subjects, joins equal findings, folds symptoms under their causes, and sorts by
/// severity and expected gain.
std::vector<Finding> evaluate(const std::vector<Rule>& rules, const World& world);

/// Fills {fact}, {fact|size}, {fact|percent}, {fact|number}; "?" where a fact is unknown.
std::string fill_in(const std::string& text, const World& world, const Subject& subject);

}  // namespace osdtune
