// SPDX-License-Identifier: Apache-2.0
// What the rules have to say about a world.
#pragma once

#include <array>
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
  /// Where the release is unknown: the series for which it is said ("17.2"); empty: for all.
  std::vector<std::string> releases;
};

/// The release series of the catalogue, oldest first.
inline constexpr std::array<const char*, 5> kReleaseSeries = {"16.2", "17.2", "18.2", "19.2", "20.2"};

/// Runs all rules over all subjects, joins equal findings, folds symptoms under their causes, and sorts by
/// severity and expected gain.
std::vector<Finding> evaluate(const std::vector<Rule>& rules, const World& world);

/// The same for facts of an unknown release: what most series say, with their names where not all do.
std::vector<Finding> evaluate_for_any_release(const std::vector<Rule>& rules, const Facts& facts,
                                              const Catalogue& catalogue);

/// Fills {fact}, {fact|size}, {fact|percent}, {fact|number}; "?" where a fact is unknown.
std::string fill_in(const std::string& text, const World& world, const Subject& subject);

}  // namespace osdtune
