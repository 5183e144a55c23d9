// SPDX-License-Identifier: Apache-2.0
// One rule of the advisor: when it fires, what it says, and examples that prove both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "knowledge/condition.hpp"
#include "knowledge/release.hpp"

namespace osdtune {

/// How much a finding matters. kInfo is worth knowing and asks for nothing.
enum class Severity { kInfo, kAdvice, kWarning, kDanger };

std::string to_text(Severity severity);  ///< "info", "advice", "warning", "danger"
/// Throws Error{kUsage} for anything else.
Severity parse_severity(const std::string& text);

/// What a rule looks at, one at a time.
enum class SubjectKind { kCluster, kHost, kOsd, kPool, kSetting, kLoad };

std::string to_text(SubjectKind kind);

/// An input with which a rule must fire, or must not.
struct RuleExample {
  std::string release;                 ///< "" if unknown
  std::string conf;                    ///< text of a ceph.conf
  std::string fio;                     ///< text of a fio job file
  std::map<std::string, Value> facts;  ///< further facts by name, known for every subject
};

struct Rule {
  std::string id;
  std::string topic;
  Severity severity = Severity::kInfo;
  SubjectKind about = SubjectKind::kCluster;
  std::vector<std::string> options;     ///< of rules about settings: only these names; empty: all
  std::optional<Release> from, before;  ///< releases it applies to
  Condition when;
  std::string finding;  ///< one line, with {facts}
  std::string why;
  std::string advice;
  std::string effect;       ///< what to expect, with the number where there is one
  double gain_percent = 0;  ///< for sorting: what the source of the number saw at best
  std::string risk;
  std::string cost;  ///< none, live, restart, recreate, reboot, hardware
  std::vector<std::string> sources;
  std::vector<std::string>
      part_of;  ///< rules that name the root cause: where one fires, this is folded under it
  std::vector<std::string> sweep;  ///< settings worth a sweep when it fires
  std::vector<RuleExample> fires_on, quiet_on;
};

/// All rules compiled into the program. Throws Error{kInput} naming file and rule for anything out of shape.
std::vector<Rule> load_rules();

/// Rules of one file. Examples are read only where `with_examples`.
std::vector<Rule> rules_from_json(const Json& json, const std::string& file, bool with_examples);

/// As `load_rules`, examples included.
std::vector<Rule> load_rules_with_examples();

}  // namespace osdtune
