// SPDX-License-Identifier: Apache-2.0
// Runs the rules and makes a short list of what they found.
#include "knowledge/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/units.hpp"

namespace osdtune {
namespace {

std::string formatted(const Value& value, const std::string& format) {
  const std::optional<double> number = as_number(value);
  if (!number || format.empty()) return to_text(value);
  if (format == "size") return format_size(*number);
  if (format == "percent") return format_number(*number * 100) + " %";
  return format_number(*number);
}

bool in_releases(const Rule& rule, const std::optional<Release>& release) {
  if (!rule.from && !rule.before) return true;
  if (!release) return false;
  return (!rule.from || *release >= *rule.from) && (!rule.before || *release < *rule.before);
}

/// The names a condition on settings admits, where its outermost part says so; empty: any.
std::vector<std::string> names_admitted(const Condition& when) {
  const auto names_by_value = when.comparison == Comparison::kEqual || when.comparison == Comparison::kIn;
  if (when.kind == Condition::Kind::kCompare && when.fact == "setting.name" && names_by_value) {
    std::vector<std::string> names;
    for (const Value& value : when.values) names.push_back(to_text(value));
    return names;
  }
  if (when.kind != Condition::Kind::kAll) return {};
  for (const Condition& part : when.parts)
    if (auto names = names_admitted(part); part.kind == Condition::Kind::kCompare && !names.empty())
      return names;
  return {};
}

/// Rules by what they look at; those about certain settings by their names, so that others are not asked.
class RuleIndex {
 public:
  RuleIndex(const std::vector<Rule>& rules, const std::optional<Release>& release) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (!in_releases(rules[i], release)) continue;
      const auto names = rules[i].options.empty() ? names_admitted(rules[i].when) : rules[i].options;
      if (rules[i].about != SubjectKind::kSetting || names.empty()) by_kind_[rules[i].about].push_back(i);
      if (rules[i].about != SubjectKind::kSetting) continue;
      for (const std::string& name : names) by_name_[name].push_back(i);
    }
  }
  /// Calls `visit` with the number of each rule to ask about the subject.
  template <class Visit>
  void each(const Subject& subject, Visit visit) const {
    if (const auto found = by_kind_.find(subject.kind); found != by_kind_.end())
      for (const std::size_t rule : found->second) visit(rule);
    if (!subject.setting) return;
    if (const auto found = by_name_.find(subject.setting->name); found != by_name_.end())
      for (const std::size_t rule : found->second) visit(rule);
  }

 private:
  std::map<SubjectKind, std::vector<std::size_t>> by_kind_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;
};

std::string subject_text(const Subject& subject) {
  if (!subject.setting) return subject.name;
  return "[" + subject.group + "] " + subject.name;
}

Finding finding_of(const Rule& rule, const World& world, const Subject& subject) {
  return {.rule = rule.id,
          .topic = rule.topic,
          .severity = rule.severity,
          .text = fill_in(rule.finding, world, subject),
          .also = {},
          .why = fill_in(rule.why, world, subject),
          .advice = fill_in(rule.advice, world, subject),
          .effect = fill_in(rule.effect, world, subject),
          .risk = rule.risk,
          .cost = rule.cost,
          .gain_percent = rule.gain_percent,
          .subjects = {},
          .places = {},
          .sources = rule.sources,
          .sweep = rule.sweep,
          .folded = {}};
}

void add_once(std::vector<std::string>* list, std::set<std::string>* seen, std::string text) {
  if (!text.empty() && seen->insert(text).second) list->push_back(std::move(text));
}

/// What one rule has found so far; subjects with the same words become one finding.
class Found {
 public:
  void add(const Rule& rule, const World& world, const Subject& subject) {
    const std::string text = fill_in(rule.finding, world, subject);
    const auto [at, is_new] = at_.try_emplace(text, findings_.size());
    if (is_new) findings_.push_back(finding_of(rule, world, subject));
    Finding& finding = findings_[at->second];
    add_once(&finding.subjects, &seen_[text], subject_text(subject));
    if (subject.place) add_once(&finding.places, &seen_["place " + text], to_text(*subject.place));
  }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::vector<Finding> findings_;
  std::map<std::string, std::size_t> at_;
  std::map<std::string, std::set<std::string>> seen_;
};

bool mentions(const Condition& when, std::string_view fact) {
  return when.fact == fact || std::any_of(when.parts.begin(), when.parts.end(),
                                          [&](const Condition& part) { return mentions(part, fact); });
}

/// A value that counts for no OSD can still be refused, can still endanger other daemons, and may be what a
/// rule is about.
bool speaks_of_shadows(const Rule& rule) {
  return rule.topic == "settings without effect" || rule.severity == Severity::kDanger ||
         mentions(rule.when, "setting.shadowed");
}

std::string with_place(const Finding& finding) {
  const std::vector<std::string>& places = finding.places.empty() ? finding.subjects : finding.places;
  return places.empty() ? finding.text : fmt::format("{} ({})", finding.text, fmt::join(places, ", "));
}

/// One finding for several lines of a rule that call for the same: five leftovers of FileStore are one thing
/// to do.
std::vector<Finding> joined(std::vector<Finding> findings) {
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Finding& each) {
      return each.rule == finding.rule && each.advice == finding.advice && each.effect == finding.effect &&
             each.releases == finding.releases;
    });
    if (same == kept.end()) {
      kept.push_back(std::move(finding));
    } else {
      same->also.push_back(with_place(finding));
      same->folded.insert(same->folded.end(), finding.folded.begin(), finding.folded.end());
    }
  }
  for (Finding& finding : kept) finding.folded = joined(std::move(finding.folded));
  return kept;
}

/// A cause explains symptoms of the same host, OSD or pool; where both rules are about whatever setting, of
/// the same option. Causes of another kind (the cluster, a certain setting) explain all.
bool explains(const Finding& cause, const Rule& cause_rule, const Finding& symptom,
              const Rule& symptom_rule) {
  if (cause_rule.about != symptom_rule.about) return true;
  const auto any_setting = [](const Rule& rule) {
    return rule.options.empty() && names_admitted(rule.when).empty();
  };
  const bool settings = cause_rule.about == SubjectKind::kSetting;
  if (settings && !(any_setting(cause_rule) && any_setting(symptom_rule))) return true;
  const auto name = [&](const std::string& subject) {
    return settings ? subject.substr(subject.find("] ") + 2) : subject;
  };
  return std::all_of(symptom.subjects.begin(), symptom.subjects.end(), [&](const std::string& subject) {
    return std::any_of(cause.subjects.begin(), cause.subjects.end(),
                       [&](const std::string& other) { return name(other) == name(subject); });
  });
}

/// What is left after the symptoms of causes that fired were put under them.
std::vector<Finding> folded(std::vector<Finding> all, const std::map<std::string, const Rule*>& rules) {
  std::multimap<std::string, std::size_t> by_rule;
  for (std::size_t i = 0; i < all.size(); ++i) by_rule.emplace(all[i].rule, i);
  std::vector<bool> gone(all.size(), false);
  const auto cause_of = [&](std::size_t symptom) -> std::optional<std::size_t> {
    const Rule& rule = *rules.at(all[symptom].rule);
    for (const std::string& cause : rule.part_of) {
      if (cause == rule.id) continue;
      const auto [begin, end] = by_rule.equal_range(cause);
      for (auto at = begin; at != end; ++at)
        if (!gone[at->second] && explains(all[at->second], *rules.at(cause), all[symptom], rule))
          return at->second;
    }
    return std::nullopt;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const auto cause = cause_of(i)) {
      gone[i] = true;
      all[*cause].folded.push_back(all[i]);
    }
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(all[i]));
  return kept;
}

/// Everything that rules say of a world, symptoms under their causes.
std::vector<Finding> find_all(const std::vector<Rule>& rules, const World& world) {
  const RuleIndex index(rules, world.release());
  std::vector<Found> found(rules.size());
  std::vector<bool> of_shadows;
  for (const Rule& rule : rules) of_shadows.push_back(speaks_of_shadows(rule));
  for (const Subject& subject : world.subjects()) {  // outer loop: the facts of one subject stay in the cache
    const FactSource facts = [&](const std::string& name) { return world.fact(subject, name); };
    const bool shadowed = subject.setting && world.fact(subject, "setting.shadowed") == Value(true);
    index.each(subject, [&](std::size_t rule) {
      if (shadowed && !of_shadows[rule]) return;
      if (holds(rules[rule].when, facts) == true) found[rule].add(rules[rule], world, subject);
    });
  }
  std::map<std::string, const Rule*> by_id;
  std::vector<Finding> all;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    by_id[rules[i].id] = &rules[i];
    for (Finding& finding : found[i].take()) all.push_back(std::move(finding));
  }
  return folded(std::move(all), by_id);
}

/// Adds what was found when reading for `series`; what is said for several is one finding.
void add_for(const std::string& series, const std::vector<Finding>& found, std::vector<Finding>* all) {
  for (const Finding& finding : found) {
    auto same = std::find_if(all->begin(), all->end(), [&](const Finding& each) {
      return each.rule == finding.rule && each.text == finding.text && each.subjects == finding.subjects;
    });
    if (same == all->end()) {
      same = all->insert(all->end(), finding);
      same->folded.clear();
    }
    same->releases.push_back(series);
    add_for(series, finding.folded, &same->folded);
  }
}

/// Leaves out what less than half of the series say; all of them need not be named.
void keep_common(std::vector<Finding>* findings) {
  std::erase_if(*findings,
                [](const Finding& each) { return 2 * each.releases.size() < kReleaseSeries.size(); });
  for (Finding& finding : *findings) {
    if (finding.releases.size() == kReleaseSeries.size()) finding.releases.clear();
    keep_common(&finding.folded);
  }
}

std::vector<Finding> worst_first(std::vector<Finding> findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.severity, a.gain_percent) > std::pair(b.severity, b.gain_percent);
  });
  return findings;
}

}  // namespace

std::string fill_in(const std::string& text, const World& world, const Subject& subject) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    const auto close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) return filled + text.substr(at);
    filled += text.substr(at, open - at);
    const std::string name = text.substr(open + 1, close - open - 1);
    const auto bar = name.find('|');
    const auto value = world.fact(subject, name.substr(0, bar));
    filled += value ? formatted(*value, bar == std::string::npos ? "" : name.substr(bar + 1)) : "?";
    at = close + 1;
  }
  return filled;
}

std::vector<Finding> evaluate(const std::vector<Rule>& rules, const World& world) {
  return worst_first(joined(find_all(rules, world)));
}

std::vector<Finding> evaluate_for_any_release(const std::vector<Rule>& rules, const Facts& facts,
                                              const Catalogue& catalogue) {
  std::vector<Finding> all;
  Facts read = facts;
  for (const char* series : kReleaseSeries) {
    read.release = series;
    add_for(series, find_all(rules, World(read, catalogue)), &all);
  }
  keep_common(&all);
  return worst_first(joined(std::move(all)));
}

}  // namespace osdtune
