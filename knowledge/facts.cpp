// SPDX-License-Identifier: Apache-2.0
// Which of several values for one option is in force, and for whom.
#include "knowledge/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "core/error.hpp"

namespace osdtune {
namespace {

constexpr std::size_t kDumpSize = 300;  // nobody sets that many options by hand; a dump has 1,500

const OsdFacts* find_osd(const Facts& facts, int id) {
  const auto found = facts.osds.find(id);
  return found == facts.osds.end() ? nullptr : &found->second;
}

/// 0: global, 1: type, 2: daemon; -1: does not count for OSDs.
int section_rank(const std::string& section, int osd) {
  if (section == "global") return 0;
  if (section == "osd") return 1;
  return osd >= 0 && section == "osd." + std::to_string(osd) ? 2 : -1;
}

bool mask_applies(const std::string& mask, const OsdFacts* osd) {
  if (mask.empty()) return true;
  if (const auto slash = mask.find('/'); slash != std::string::npos)
    return mask_applies(mask.substr(0, slash), osd) && mask_applies(mask.substr(slash + 1), osd);
  const auto colon = mask.find(':');
  if (!osd || colon == std::string::npos) return false;
  const std::string kind = mask.substr(0, colon);
  const std::string value = mask.substr(colon + 1);
  if (kind == "class") return osd->device_class == value;
  return kind == "host" && osd->host == value;
}

}  // namespace

std::string to_text(const Place& place) {
  return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

void add_conf(CephConf conf, Facts* facts) {
  const bool is_dump = !conf.has_sections && conf.settings.size() >= kDumpSize;
  if (is_dump) {
    std::erase_if(conf.problems,
                  [](const ConfProblem& each) { return each.kind == ConfProblemKind::kRefused; });
    OsdFacts& osd = facts->osds[0];
    for (const ConfSetting& each : conf.settings) {
      const bool is_name = each.name == "name" && each.value.starts_with("osd.");
      if (is_name) std::from_chars(each.value.data() + 4, each.value.data() + each.value.size(), osd.id);
      osd.running[each.name] = each.value;
    }
    if (osd.id != 0) {
      auto node = facts->osds.extract(0);
      node.key() = node.mapped().id;
      facts->osds.insert(std::move(node));
    }
    facts->notes.push_back(conf.file + ": read as the running values of one daemon, for it has no sections");
  } else {
    for (const ConfSetting& each : conf.settings)
      facts->settings.push_back(
          {each.section, "", each.name, each.value, false, Place{conf.file, each.line}});
  }
  facts->files.push_back(std::move(conf));
}

bool applies_to(const FoundSetting& setting, const Facts& facts, int osd) {
  return section_rank(setting.section, osd) >= 0 && mask_applies(setting.mask, find_osd(facts, osd));
}

SettingIndex::SettingIndex(const Facts& facts) : facts_(facts) {
  for (const FoundSetting& setting : facts.settings)
    by_name_[setting.name][setting.section].push_back(&setting);
}

const FoundSetting* SettingIndex::best_of(const std::vector<std::string>& sections, int osd,
                                          const std::string& name) const {
  const auto named = by_name_.find(name);
  if (named == by_name_.end()) return nullptr;
  const OsdFacts* known = find_osd(facts_, osd);
  const FoundSetting* best = nullptr;
  std::tuple<bool, std::size_t, bool> best_rank;
  for (std::size_t narrow = 0; narrow < sections.size(); ++narrow) {
    const auto found = named->second.find(sections[narrow]);
    if (found == named->second.end()) continue;
    for (const FoundSetting* setting : found->second) {
      if (!mask_applies(setting->mask, known)) continue;
      const std::tuple rank(!setting->stored, narrow, !setting->mask.empty());
      if (best && rank < best_rank) continue;
      best = setting;
      best_rank = rank;
    }
  }
  return best;
}

const FoundSetting* SettingIndex::set_for(int osd, const std::string& name) const {
  if (osd < 0) return best_of({"global", "osd"}, osd, name);
  return best_of({"global", "osd", "osd." + std::to_string(osd)}, osd, name);
}

const FoundSetting* SettingIndex::set_for_client(const std::string& name) const {
  return best_of({"global", "client"}, -1, name);
}

std::optional<EffectiveValue> SettingIndex::effective(int osd, const std::string& name) const {
  const FoundSetting* best = set_for(osd, name);
  if (const OsdFacts* known = find_osd(facts_, osd))
    if (const auto running = known->running.find(name); running != known->running.end())
      return EffectiveValue{running->second, "running", best};
  if (!best) return std::nullopt;
  return EffectiveValue{best->value, best->section, best};
}

std::vector<int> osd_ids(const Facts& facts) {
  std::set<int> ids;
  for (const auto& [id, osd] : facts.osds) ids.insert(id);
  if (!ids.empty()) return {ids.begin(), ids.end()};
  ids.insert(-1);
  for (const FoundSetting& setting : facts.settings) {
    if (!setting.section.starts_with("osd.")) continue;
    int id = -1;
    std::from_chars(setting.section.data() + 4, setting.section.data() + setting.section.size(), id);
    ids.insert(id);
  }
  return {ids.begin(), ids.end()};
}

}  // namespace osdtune
