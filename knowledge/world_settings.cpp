// SPDX-License-Identifier: Apache-2.0
// The subjects for rules about settings: each value somebody set, with what the catalogue and the rest of the
// cluster say about it.
#include <algorithm>
#include <optional>

#include "knowledge/option_value.hpp"
#include "knowledge/world.hpp"

namespace osdtune {
namespace {

void put(Subject* subject, const char* name, Value value) {
  subject->facts.insert_or_assign(name, std::move(value));
}

/// Values in the form the daemon prints, so that "4G" and "4294967296" are the same.
std::string canonical(const Option* option, const std::string& text) {
  if (!option) return text;
  if (option->type == "debug") {
    const auto levels = parse_debug_levels(text);
    return levels ? std::to_string(levels->log) + "/" + std::to_string(levels->gather) : text;
  }
  const OptionValue read = read_option_value(*option, text);
  if (!read.value) return text;
  const auto* real = std::get_if<double>(&*read.value);
  const auto* whole = std::get_if<std::int64_t>(&*read.value);
  if (real || whole) return std::to_string(real ? *real : static_cast<double>(*whole));
  return to_text(*read.value);
}

void put_option_facts(const Option& option, const FoundSetting& setting, Subject* subject) {
  put(subject, "setting.default", option.default_value);
  put(subject, "setting.type", option.type);
  put(subject, "setting.level", option.level);
  put(subject, "setting.safety", to_text(option.safety));
  put(subject, "setting.takes_effect", to_text(takes_effect_or_restart(option)));
  put(subject, "setting.runtime_claimed", option.runtime_claimed);
  put(subject, "setting.is_default",
      canonical(&option, setting.value) == canonical(&option, option.default_value));
  const OptionValue read = read_option_value(option, setting.value);
  if (read.value) put(subject, "setting.value", *read.value);
  put(subject, "setting.problem", read.problem);
  put(subject, "setting.meant", read.meant);
  if (const auto levels = option.type == "debug" ? parse_debug_levels(setting.value) : std::nullopt) {
    put(subject, "setting.log", std::int64_t{levels->log});
    put(subject, "setting.gather", std::int64_t{levels->gather});
  }
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& each : parts) text += (text.empty() ? "" : ", ") + each;
  return text;
}

}  // namespace

void World::add_settings() {
  std::vector<std::string> names;  // for the nearest spelling, collected when first needed
  const std::vector<int> ids = osd_ids(facts_);
  for (const FoundSetting& setting : facts_.settings) {
    Subject& subject = subjects_.emplace_back();
    subject.kind = SubjectKind::kSetting;
    subject.name = setting.name;
    subject.group = setting.section + (setting.mask.empty() ? "" : "/" + setting.mask);
    subject.setting = &setting;
    subject.place = setting.place;
    subject.parent = &subjects_.front();
    put(&subject, "setting.name", setting.name);
    put(&subject, "setting.text", setting.value);
    put(&subject, "setting.section", setting.section);
    put(&subject, "setting.mask", setting.mask);
    put(&subject, "setting.stored", setting.stored);
    const bool known = is_known(catalogue_, setting.name);
    put(&subject, "setting.known", known);
    const Option* described = option(setting.name);
    if (!known) {
      if (names.empty()) {
        names = option_names(catalogue_, release_.value_or(parse_release("20.2")));
        names.insert(names.end(), catalogue_.elsewhere.begin(), catalogue_.elsewhere.end());
      }
      put(&subject, "setting.nearest", nearest_name(setting.name, names));
    }
    if (!described) continue;
    put_option_facts(*described, setting, &subject);
    put(&subject, "setting.removed_in", described->removed);
    put(&subject, "setting.since", described->since);
    if (release_)
      put(&subject, "setting.in_release", find_option(catalogue_, setting.name, *release_).has_value());

    const bool narrow = setting.section.starts_with("osd.");
    std::int64_t counts_for = 0, shadowed = 0, running_other = 0;
    std::optional<std::string> shadowed_by, running;
    bool class_known = true, any_hdd = false, any_flash = false;
    const auto check = [&](int id) {
      if (!applies_to(setting, facts_, id)) return;
      ++counts_for;
      const FoundSetting* best = index_.set_for(id, setting.name);
      if (best && best != &setting) {
        ++shadowed;
        shadowed_by =
            "[" + best->section + (best->mask.empty() ? "" : "/" + best->mask) + "] " + to_text(best->place);
        if (canonical(described, best->value) == canonical(described, setting.value))
          put(&subject, "setting.shadowed_by_same", true);
      }
      const auto known_osd = facts_.osds.find(id);
      if (known_osd == facts_.osds.end()) {
        class_known = false;
        return;
      }
      const OsdFacts& osd = known_osd->second;
      if (!osd.device_class && !osd.rotational) class_known = false;
      const bool hdd = osd.device_class ? *osd.device_class == "hdd" : osd.rotational.value_or(false);
      any_hdd = any_hdd || hdd;
      any_flash = any_flash || !hdd;
      const auto now = osd.running.find(setting.name);
      if (best == &setting && now != osd.running.end() &&
          canonical(described, now->second) != canonical(described, setting.value)) {
        ++running_other;
        running = now->second;
      }
    };
    if (narrow && !facts_.osds.empty()) {
      const int id = std::atoi(setting.section.c_str() + 4);
      if (facts_.osds.contains(id))
        check(id);
      else
        put(&subject, "setting.osd_unknown", true);
    } else if (setting.section == "global" || setting.section == "osd" || narrow) {
      for (const int id : ids) check(id);
    }
    put(&subject, "setting.osds", counts_for);
    put(&subject, "setting.shadowed", shadowed > 0 && shadowed == counts_for);
    put(&subject, "setting.partly_shadowed", shadowed > 0 && shadowed < counts_for);
    if (shadowed_by) put(&subject, "setting.shadowed_by", *shadowed_by);
    if (!facts_.osds.empty()) put(&subject, "setting.running_differs", running_other > 0);
    if (running) put(&subject, "setting.running", *running);
    if (counts_for > 0 && class_known) {
      if (setting.name.ends_with("_hdd")) put(&subject, "setting.wrong_class", !any_hdd);
      if (setting.name.ends_with("_ssd")) put(&subject, "setting.wrong_class", !any_flash);
    }
    const bool is_pair = setting.name.ends_with("_hdd") || setting.name.ends_with("_ssd");
    if (is_pair) {
      const std::string plain = setting.name.substr(0, setting.name.size() - 4);
      const Option* base = option(plain);
      const FoundSetting* base_set =
          index_.set_for(narrow ? std::atoi(setting.section.c_str() + 4) : -1, plain);
      if (base && base_set) {
        const OptionValue read = read_option_value(*base, base_set->value);
        const auto number = read.value ? as_number(*read.value) : std::nullopt;
        put(&subject, "setting.pair_overridden", number.value_or(0) != 0);
        put(&subject, "setting.pair", plain + " = " + base_set->value);
      }
    }
    std::vector<std::string> overriding;
    for (const OptionRelation& relation : described->relations)
      if (relation.kind == "overridden by") overriding.push_back(relation.option);
    put(&subject, "setting.overridden_by", join(overriding));
  }
}

}  // namespace osdtune
