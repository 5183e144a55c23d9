// SPDX-License-Identifier: Apache-2.0
// Runs the rules and makes a short list of what they found.
#include "knowledge/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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

bool concerns(const Rule& rule, const Subject& subject) {
  if (rule.about != subject.kind) return false;
  if (rule.options.empty() || !subject.setting) return true;
  return std::find(rule.options.begin(), rule.options.end(), subject.setting->name) != rule.options.end();
}

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

/// Findings of one rule; those with the same words become one.
std::vector<Finding> findings_of(const Rule& rule, const World& world,
                                 const std::vector<const Subject*>& subjects) {
  std::map<std::string, Finding> by_text;
  std::map<std::string, std::set<std::string>> seen;
  std::vector<std::string> order;
  for (const Subject* subject : subjects) {
    if (!concerns(rule, *subject)) continue;
    const auto answer = holds(rule.when, [&](const std::string& name) { return world.fact(*subject, name); });
    if (answer != true) continue;
    const std::string text = fill_in(rule.finding, world, *subject);
    auto found = by_text.find(text);
    if (found == by_text.end()) {
      found = by_text.emplace(text, finding_of(rule, world, *subject)).first;
      order.push_back(text);
    }
    add_once(&found->second.subjects, &seen[text], subject_text(*subject));
    if (subject->place) add_once(&found->second.places, &seen["place " + text], to_text(*subject->place));
  }
  std::vector<Finding> findings;
  for (const std::string& text : order) findings.push_back(std::move(by_text.at(text)));
  return findings;
}

std::string with_place(const Finding& finding) {
  const std::vector<std::string>& places = finding.places.empty() ? finding.subjects : finding.places;
  return places.empty() ? finding.text : fmt::format("{} ({})", finding.text, fmt::join(places, ", "));
}

/// One finding for several lines that call for the same: five leftovers of FileStore are one thing to do.
std::vector<Finding> joined(std::vector<Finding> findings) {
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Finding& each) {
      return each.advice == finding.advice && each.effect == finding.effect;
    });
    if (same == kept.end())
      kept.push_back(std::move(finding));
    else
      same->also.push_back(with_place(finding));
  }
  return kept;
}

/// What is left after the symptoms of causes that fired were put under them.
std::vector<Finding> folded(std::vector<Finding> all, const std::map<std::string, const Rule*>& rules) {
  std::map<std::string, std::size_t> first_of;
  for (std::size_t i = 0; i < all.size(); ++i) first_of.try_emplace(all[i].rule, i);
  std::vector<bool> gone(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::string& cause : rules.at(all[i].rule)->part_of) {
      const auto found = first_of.find(cause);
      if (found == first_of.end() || gone[found->second] || all[found->second].rule == all[i].rule) continue;
      gone[i] = true;
      all[found->second].folded.push_back(all[i]);
      break;
    }
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(all[i]));
  return kept;
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
  std::map<SubjectKind, std::vector<const Subject*>> by_kind;
  for (const Subject& subject : world.subjects()) by_kind[subject.kind].push_back(&subject);
  std::map<std::string, const Rule*> by_id;
  std::vector<Finding> all;
  for (const Rule& rule : rules) {
    by_id[rule.id] = &rule;
    if (!in_releases(rule, world.release())) continue;
    for (Finding& finding : joined(findings_of(rule, world, by_kind[rule.about])))
      all.push_back(std::move(finding));
  }
  std::vector<Finding> findings = folded(std::move(all), by_id);
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.severity, a.gain_percent) > std::pair(b.severity, b.gain_percent);
  });
  return findings;
}

}  // namespace osdtune
