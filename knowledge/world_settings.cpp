// SPDX-License-Identifier: Apache-2.0
// The subjects for rules about settings: each value somebody set, with what the catalogue and the rest of the
// cluster say about it.
#include <charconv>
#include <optional>

#include "core/stats.hpp"
#include "knowledge/option_value.hpp"
#include "knowledge/world.hpp"

namespace osdtune {
namespace {

/// What is true of an option wherever it is set.
void put_option_facts(const Option& option, Subject* subject) {
  subject->facts.put("setting.default", option.default_value);
  subject->facts.put("setting.type", option.type);
  subject->facts.put("setting.level", option.level);
  subject->facts.put("setting.safety", to_text(option.safety));
  subject->facts.put("setting.takes_effect", option.takes_effect ? to_text(*option.takes_effect) : "unknown");
  subject->facts.put("setting.runtime_claimed", option.runtime_claimed);
  subject->facts.put("setting.removed_in", option.removed);
  subject->facts.put("setting.since", option.since);
}

void put_value_facts(const Option& option, const FoundSetting& setting, Subject* subject) {
  subject->facts.put("setting.is_default", same_value(option, setting.value, option.default_value));
  const OptionValue read = read_option_value(option, setting.value);
  if (read.value) subject->facts.put("setting.value", *read.value);
  subject->facts.put("setting.problem", read.problem);
  subject->facts.put("setting.meant", read.meant);
  if (const auto levels = option.type == "debug" ? parse_debug_levels(setting.value) : std::nullopt) {
    subject->facts.put("setting.log", std::int64_t{levels->log});
    subject->facts.put("setting.gather", std::int64_t{levels->gather});
  }
}

/// What is known of the OSDs a setting counts for.
struct Scope {
  std::int64_t osds = 0;
  std::int64_t shadowed = 0;
  bool shadowed_by_same = false;
  bool set_twice =
      false;  ///< by a later line of the same section, which the reader of the file has said already
  std::string shadowed_by;
  std::optional<std::string> running;  ///< of an OSD that runs with something else
  bool classes_known = true;
  bool any_hdd = false, any_flash = false;

  void add_osd(const OsdFacts* osd) {
    ++osds;
    classes_known = classes_known && osd && (osd->device_class || osd->rotational);
    if (!classes_known) return;
    const bool hdd = osd->device_class ? *osd->device_class == "hdd" : *osd->rotational;
    (hdd ? any_hdd : any_flash) = true;
  }
};

constexpr std::size_t kFewestForMedian = 4;  ///< OSDs that make "most" mean something

bool is_pair(const std::string& name) {
  return name.ends_with("_hdd") || name.ends_with("_ssd");
}

void put_scope(const Scope& scope, const FoundSetting& setting, bool osds_known, Subject* subject) {
  subject->facts.put("setting.osds", scope.osds);
  subject->facts.put("setting.shadowed", scope.shadowed > 0 && scope.shadowed == scope.osds);
  subject->facts.put("setting.partly_shadowed", scope.shadowed > 0 && scope.shadowed < scope.osds);
  subject->facts.put("setting.shadowed_by", scope.shadowed_by);
  subject->facts.put("setting.shadowed_by_same", scope.shadowed_by_same);
  subject->facts.put("setting.set_twice", scope.set_twice);
  if (osds_known) subject->facts.put("setting.running_differs", scope.running.has_value());
  if (scope.running) subject->facts.put("setting.running", *scope.running);
  if (scope.osds == 0 || !scope.classes_known || !is_pair(setting.name)) return;
  subject->facts.put("setting.wrong_class",
                     setting.name.ends_with("_hdd") ? !scope.any_hdd : !scope.any_flash);
}

std::string section_text(const FoundSetting& setting) {
  return setting.section + (setting.mask.empty() ? "" : "/" + setting.mask);
}

/// The id of the OSD whose own section the setting is in.
std::optional<int> own_osd(const FoundSetting& setting) {
  if (!setting.section.starts_with("osd.")) return std::nullopt;
  int id = -1;
  std::from_chars(setting.section.data() + 4, setting.section.data() + setting.section.size(), id);
  return id;
}

std::vector<std::string> all_names(const Catalogue& catalogue, const Release& release) {
  std::vector<std::string> names = option_names(catalogue, release);
  names.insert(names.end(), catalogue.elsewhere.begin(), catalogue.elsewhere.end());
  return names;
}

}  // namespace

void World::add_scope(const FoundSetting& setting, const std::vector<int>& ids, Subject* subject) const {
  const Option* known = option(setting.name);
  const std::string value = canonical_value(*known, setting.value);
  Scope scope;
  for (const int id : ids) {
    if (!applies_to(setting, facts_, id)) continue;
    const FoundSetting* best = index_.set_for(id, setting.name);
    const auto osd = facts_.osds.find(id);
    scope.add_osd(osd == facts_.osds.end() ? nullptr : &osd->second);
    if (best && best != &setting) {
      ++scope.shadowed;
      scope.shadowed_by = "[" + section_text(*best) + "] " + to_text(best->place);
      scope.shadowed_by_same = scope.shadowed_by_same || canonical_value(*known, best->value) == value;
      scope.set_twice =
          section_text(*best) == section_text(setting) && best->place.file == setting.place.file;
    } else if (osd != facts_.osds.end()) {
      const auto running = osd->second.running.find(setting.name);
      if (running != osd->second.running.end() && canonical_value(*known, running->second) != value)
        scope.running = running->second;
    }
  }
  put_scope(scope, setting, !facts_.osds.empty(), subject);
}

const Subject* World::describe(const std::string& name, const Option& option) {
  const auto [found, is_new] = described_.try_emplace(name);
  if (is_new) {
    found->second.parent = &subjects_.front();
    put_option_facts(option, &found->second);
    if (release_) found->second.facts.put("setting.in_release", in_release(name));
  }
  return &found->second;
}

void World::add_setting(const FoundSetting& setting, const std::vector<int>& ids,
                        std::vector<std::string>* names) {
  Subject& subject = subjects_.emplace_back();
  subject.kind = SubjectKind::kSetting;
  subject.name = setting.name;
  subject.group = section_text(setting);
  subject.setting = &setting;
  subject.place = setting.place;
  subject.parent = &subjects_.front();
  subject.facts.put("setting.name", setting.name);
  subject.facts.put("setting.text", setting.value);
  subject.facts.put("setting.section", setting.section);
  subject.facts.put("setting.mask", setting.mask);
  subject.facts.put("setting.stored", setting.stored);
  subject.facts.put("setting.known", is_known(catalogue_, setting.name));
  const Option* described = option(setting.name);
  if (!described && !is_known(catalogue_, setting.name)) {
    if (names->empty()) *names = all_names(catalogue_, release_.value_or(parse_release("20.2")));
    subject.facts.put("setting.nearest", nearest_name(setting.name, *names));
  }
  if (!described) return;
  subject.parent = describe(setting.name, *described);
  put_value_facts(*described, setting, &subject);
  const std::optional<int> own = own_osd(setting);
  if (const auto median = capacity_medians_.find(setting.name); own && median != capacity_medians_.end())
    if (const auto value = number(subject, "setting.value"); value && median->second > 0)
      subject.facts.put("setting.times_median", Value(*value / median->second));
  if (own && !facts_.osds.empty() && !facts_.osds.contains(*own))
    subject.facts.put("setting.osd_unknown", true);
  add_scope(setting, own ? std::vector<int>{*own} : ids, &subject);
  if (!is_pair(setting.name)) return;
  const std::string plain = setting.name.substr(0, setting.name.size() - 4);
  const FoundSetting* other = index_.set_for(own.value_or(-1), plain);
  const auto value = other ? typed(plain, other->value) : std::nullopt;
  if (!value || !option(plain)) return;
  subject.facts.put("setting.pair_overridden", as_number(*value).value_or(0) != 0);
  subject.facts.put("setting.pair", plain + " = " + other->value);
}

void World::find_capacity_medians() {
  for (const char* name : {"osd_mclock_max_capacity_iops_hdd", "osd_mclock_max_capacity_iops_ssd"}) {
    std::vector<double> values;
    for (const FoundSetting& setting : facts_.settings)
      if (setting.name == name && own_osd(setting))
        if (const auto value = typed(name, setting.value); value && as_number(*value))
          values.push_back(*as_number(*value));
    if (values.size() >= kFewestForMedian) capacity_medians_[name] = median(values).value_or(0);
  }
}

void World::add_settings() {
  find_capacity_medians();
  std::vector<std::string> names;  // for the nearest spelling, collected when first needed
  const std::vector<int> ids = osd_ids(facts_);
  for (const FoundSetting& setting : facts_.settings) add_setting(setting, ids, &names);
}

}  // namespace osdtune
