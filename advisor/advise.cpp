// SPDX-License-Identifier: Apache-2.0
// Runs the rules over the facts and adds what the reader has to know about the input itself.
#include "advisor/advise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "knowledge/option_value.hpp"

namespace osdtune {
namespace {

std::string line_text(const CephConf& file, const ConfProblem& problem) {
  const char* word = problem.kind == ConfProblemKind::kRefused     ? "Ceph refuses the file"
                     : problem.kind == ConfProblemKind::kIgnored   ? "ignored by Ceph"
                     : problem.kind == ConfProblemKind::kDuplicate ? "set twice"
                                                                   : "note";
  return fmt::format("{}:{}:{}: {}: {}", file.file, problem.line, problem.column, word, problem.text);
}

std::string about_text(const Facts& facts) {
  std::vector<std::string> parts;
  if (facts.release) {
    try {
      parts.push_back("Ceph " + to_text(parse_release(*facts.release)));
    } catch (const Error&) {
      parts.push_back(*facts.release);
    }
  }
  for (const CephConf& file : facts.files) parts.push_back(file.file);
  std::set<std::string> hosts;
  for (const auto& [id, osd] : facts.osds)
    if (osd.host) hosts.insert(*osd.host);
  if (!facts.osds.empty())
    parts.push_back(fmt::format("{} OSD{} on {} host{}", facts.osds.size(), facts.osds.size() == 1 ? "" : "s",
                                hosts.size(), hosts.size() == 1 ? "" : "s"));
  if (facts.osds.empty())
    for (const auto& [name, host] : facts.hosts) parts.push_back("host " + name);
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool sets_osd_options(const Facts& facts) {
  return std::any_of(facts.settings.begin(), facts.settings.end(), [](const FoundSetting& setting) {
    return setting.section == "global" || setting.section.starts_with("osd");
  });
}

void add_notes(const Facts& facts, const World& world, Advice* advice) {
  advice->notes = facts.notes;
  if (!world.release() && sets_osd_options(facts))
    advice->notes.push_back(
        "the release is unknown: said is what holds for most of 16.2 to 20.2; --release tells what holds "
        "for one");
  if (facts.osds.empty() && sets_osd_options(facts))
    advice->notes.push_back(
        "values the OSDs run with are unknown: add `ceph osd metadata`, `ceph config dump` and `ceph osd df` "
        "saved as "
        "JSON, or look at the cluster with --on");
}

/// Values daemons run with that nobody is known to have set and that are no defaults: as if set for each
/// daemon.
Facts with_running_values(const Facts& facts, const Catalogue& catalogue) {
  Facts all = facts;
  if (!facts.release) return all;
  const World world(facts, catalogue);
  for (const auto& [id, osd] : facts.osds)
    for (const auto& [name, value] : osd.running) {
      const Option* option = world.option(name);
      if (!option || option->effect.empty() || name.starts_with("rbd_") || world.index().set_for(id, name))
        continue;
      if (value.empty() || same_value(*option, value, option->default_value)) continue;
      all.settings.push_back({fmt::format("osd.{}", id), "", name, value, true, {"running value", 0}});
    }
  return all;
}

void collect_sweep(const std::vector<Finding>& findings, std::map<std::string, int>* votes) {
  for (const Finding& finding : findings) {
    for (const std::string& setting : finding.sweep) ++(*votes)[setting];
    collect_sweep(finding.folded, votes);
  }
}

}  // namespace

Advice advise(const Facts& given) {
  const Catalogue catalogue = load_catalogue();
  const Facts facts = with_running_values(given, catalogue);
  const World world(facts, catalogue);
  Advice advice;
  advice.about = about_text(facts);
  advice.findings = world.release() || facts.settings.empty()
                        ? evaluate(load_rules(), world)
                        : evaluate_for_any_release(load_rules(), facts, catalogue);
  for (const CephConf& file : facts.files)
    for (const ConfProblem& problem : file.problems) advice.lines.push_back(line_text(file, problem));
  add_notes(facts, world, &advice);
  std::map<std::string, int> votes;
  collect_sweep(advice.findings, &votes);
  for (const auto& [setting, count] : votes) advice.sweep.push_back(setting);
  std::stable_sort(advice.sweep.begin(), advice.sweep.end(),
                   [&](const std::string& a, const std::string& b) { return votes.at(a) > votes.at(b); });
  return advice;
}

std::size_t count(const Advice& advice, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(advice.findings.begin(), advice.findings.end(),
                    [&](const Finding& each) { return each.severity == severity; }));
}

std::optional<Severity> worst(const Advice& advice) {
  if (advice.findings.empty()) return std::nullopt;
  return advice.findings.front().severity;
}

}  // namespace osdtune
