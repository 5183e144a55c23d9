// SPDX-License-Identifier: Apache-2.0
// The option catalogue: reads the data files and puts an option together for one release.
#include "knowledge/catalogue.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "knowledge/embedded.hpp"

namespace osdtune {
namespace {

constexpr std::string_view kFolder = "options/";
constexpr std::string_view kDebug = "debug_";

std::vector<std::string> texts(const Json& json, const std::string& key) {
  return json.contains(key) ? json.at(key).get<std::vector<std::string>>() : std::vector<std::string>{};
}

std::optional<double> number(const Json& json, const std::string& key) {
  if (!json.contains(key)) return std::nullopt;
  return json.at(key).get<double>();
}

/// Applies one entry of "changes": null removes a field, everything else replaces it.
void patch(Json* fields, const Json& change) {
  for (const auto& [key, value] : change.items()) {
    if (key == "since") continue;
    if (value.is_null())
      fields->erase(key);
    else
      (*fields)[key] = value;
  }
}

/// The facts as they are in `release`; "absent" is set where it does not have the option.
Json facts_at(const Json& facts, const Release& release) {
  Json fields = facts;
  fields.erase("changes");
  if (facts.contains("since") && release < parse_release(facts.at("since").get<std::string>()))
    fields["absent"] = true;
  if (!facts.contains("changes")) return fields;
  for (const Json& change : facts.at("changes")) {
    if (release < parse_release(change.at("since").get<std::string>())) break;
    fields.erase("absent");
    patch(&fields, change);
  }
  return fields;
}

bool has_flag(const Option& option, const std::string& flag) {
  return std::find(option.flags.begin(), option.flags.end(), flag) != option.flags.end();
}

/// As `Option::can_update_at_runtime` of Ceph (src/common/options.h): the runtime flag, or a number without a
/// flag that forbids it.
bool claims_runtime(const Option& option) {
  if (has_flag(option, "runtime")) return true;
  for (const char* flag : {"startup", "create", "cluster_create", "mgr"})
    if (has_flag(option, flag)) return false;
  for (const char* type : {"bool", "int", "uint", "float", "size", "secs", "millisecs"})
    if (option.type == type) return true;
  return false;
}

/// What the flags prove by themselves; an absent flag proves nothing.
std::optional<TakesEffect> proven_by_flags(const Option& option) {
  if (has_flag(option, "create") || has_flag(option, "cluster_create")) return TakesEffect::kRecreate;
  if (has_flag(option, "startup")) return TakesEffect::kRestart;
  if (option.name.starts_with("rbd_")) return TakesEffect::kImageReopen;
  if (has_flag(option, "runtime")) return TakesEffect::kLive;
  return std::nullopt;
}

TakesEffect takes_effect_from(const std::string& text) {
  for (const TakesEffect each : {TakesEffect::kLive, TakesEffect::kNewConnections, TakesEffect::kImageReopen,
                                 TakesEffect::kRestart, TakesEffect::kRecreate})
    if (to_text(each) == text) return each;
  throw Error(ErrorKind::kInput, "options: unknown takes_effect \"" + text + "\"");
}

Safety safety_from(const std::string& text) {
  for (const Safety each :
       {Safety::kNone, Safety::kMemory, Safety::kDiagnosis, Safety::kSecurity, Safety::kData})
    if (to_text(each) == text) return each;
  throw Error(ErrorKind::kInput, "options: unknown safety \"" + text + "\"");
}

SearchRange search_from(const Json& json, const std::string& where) {
  SearchRange search;
  if (json.contains("values")) {
    for (const Json& value : json.at("values")) search.values.push_back(value_from_json(value, where));
    return search;
  }
  search.low = json.at("low").get<double>();
  search.high = json.at("high").get<double>();
  search.log = json.value("scale", "linear") == "log";
  return search;
}

void describe(Option* option, const Json& description) {
  option->effect = description.value("effect", "");
  option->cost = description.value("cost", "");
  option->unit = description.value("unit", "");
  option->sources = texts(description, "sources");
  if (description.contains("takes_effect"))
    option->takes_effect = takes_effect_from(description.at("takes_effect").get<std::string>());
  if (description.contains("safety"))
    option->safety = safety_from(description.at("safety").get<std::string>());
  if (description.contains("search"))
    option->search = search_from(description.at("search"), "options: " + option->name);
  if (!description.contains("relations")) return;
  for (const Json& each : description.at("relations"))
    option->relations.push_back(
        {each.at("kind").get<std::string>(), each.at("option").get<std::string>(), each.value("why", "")});
}

/// Ceph's own tests break things with these; a description may say that one is harmless.
bool is_test_tool(const Option& option) {
  const auto has = [&](const char* part) { return option.name.find(part) != std::string::npos; };
  return option.level == "dev" && (has("inject") || has("_debug_"));
}

Option option_from(const Json& fields) {
  Option option{.name = fields.at("name").get<std::string>(),
                .type = fields.at("type").get<std::string>(),
                .level = fields.at("level").get<std::string>(),
                .default_value = fields.at("default").get<std::string>(),
                .min = number(fields, "min"),
                .max = number(fields, "max"),
                .enum_values = texts(fields, "enum"),
                .flags = texts(fields, "flags"),
                .see_also = texts(fields, "see_also"),
                .since = fields.value("since", "")};
  option.runtime_claimed = claims_runtime(option);
  option.takes_effect = proven_by_flags(option);
  if (is_test_tool(option)) option.safety = Safety::kData;
  return option;
}

/// The release from which on the option is gone for good, or "".
std::string removed_in(const Json& facts) {
  if (!facts.contains("changes")) return "";
  const Json& last = facts.at("changes").back();
  return last.contains("absent") ? last.at("since").get<std::string>() : "";
}

bool has_subsystem(const Json& subsystem, const Release& release) {
  if (subsystem.contains("since") && release < parse_release(subsystem.at("since").get<std::string>()))
    return false;
  return !subsystem.contains("removed") ||
         release < parse_release(subsystem.at("removed").get<std::string>());
}

Option debug_option(const std::string& name, const Json& subsystem) {
  return {.name = name,
          .type = "debug",
          .level = "advanced",
          .default_value = subsystem.at("default").get<std::string>(),
          .flags = {"runtime"},
          .runtime_claimed = true,
          .takes_effect = TakesEffect::kLive,
          .since = subsystem.value("since", ""),
          .removed = subsystem.value("removed", "")};
}

const Json* find_subsystem(const Catalogue& catalogue, const std::string& option) {
  if (!option.starts_with(kDebug)) return nullptr;
  const auto found = catalogue.subsystems.find(option.substr(kDebug.size()));
  return found == catalogue.subsystems.end() ? nullptr : &found->second;
}

void read_descriptions(const Json& options, const std::string& file, Catalogue* catalogue) {
  for (const auto& [name, description] : options.items())
    if (!catalogue->descriptions.emplace(name, description).second)
      throw Error(ErrorKind::kInput, file + ": " + name + " is described twice");
}

void read_file(const EmbeddedFile& file, Catalogue* catalogue) {
  const Json json = parse_json(file.text, file.name);
  if (json.contains("subsystems")) {
    for (const Json& each : json.at("subsystems"))
      catalogue->subsystems.emplace(each.at("name").get<std::string>(), each);
    catalogue->elsewhere = texts(json, "elsewhere");
  } else if (json.at("options").is_array()) {
    for (const Json& each : json.at("options"))
      catalogue->facts.emplace(each.at("name").get<std::string>(), each);
  } else {
    read_descriptions(json.at("options"), file.name, catalogue);
  }
}

}  // namespace

Catalogue load_catalogue() {
  Catalogue catalogue;
  for (const EmbeddedFile& file : embedded_files())
    if (file.name.starts_with(kFolder) && !file.name.ends_with(".schema.json")) read_file(file, &catalogue);
  return catalogue;
}

std::optional<Option> find_option(const Catalogue& catalogue, const std::string& name,
                                  const Release& release) {
  std::optional<Option> option;
  if (const Json* subsystem = find_subsystem(catalogue, name)) {
    if (!has_subsystem(*subsystem, release)) return std::nullopt;
    option = debug_option(name, *subsystem);
  } else if (const auto found = catalogue.facts.find(name); found != catalogue.facts.end()) {
    const Json fields = facts_at(found->second, release);
    if (fields.contains("absent")) return std::nullopt;
    option = option_from(fields);
    option->removed = removed_in(found->second);
  }
  if (!option) return std::nullopt;
  if (const auto found = catalogue.descriptions.find(name); found != catalogue.descriptions.end())
    describe(&*option, found->second);
  return option;
}

std::optional<Option> find_option(const Catalogue& catalogue, const std::string& name,
                                  const std::string& release) {
  return find_option(catalogue, name, parse_release(release));
}

std::optional<Option> find_option_anywhere(const Catalogue& catalogue, const std::string& name) {
  for (const char* release : {"20.2", "19.2", "18.2", "17.2", "17.2.6", "16.2"})
    if (std::optional<Option> option = find_option(catalogue, name, parse_release(release))) return option;
  return std::nullopt;
}

bool is_known(const Catalogue& catalogue, const std::string& name) {
  return catalogue.facts.contains(name) || find_subsystem(catalogue, name) != nullptr ||
         std::binary_search(catalogue.elsewhere.begin(), catalogue.elsewhere.end(), name);
}

std::vector<std::string> option_names(const Catalogue& catalogue, const Release& release) {
  std::vector<std::string> names;
  for (const auto& [name, facts] : catalogue.facts)
    if (!facts_at(facts, release).contains("absent")) names.push_back(name);
  for (const auto& [name, subsystem] : catalogue.subsystems)
    if (has_subsystem(subsystem, release)) names.push_back(std::string(kDebug) + name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> described_options(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const auto& [name, description] : catalogue.descriptions) names.push_back(name);
  return names;
}

std::optional<std::string> default_for(const Catalogue& catalogue, const std::string& name,
                                       const Release& release, const std::string& device_class) {
  const std::optional<Option> option = find_option(catalogue, name, release);
  if (!option) return std::nullopt;
  if (option->default_value != "0") return option->default_value;
  const std::string pair = name + (device_class == "hdd" ? "_hdd" : "_ssd");
  const std::optional<Option> by_class = find_option(catalogue, pair, release);
  return by_class ? by_class->default_value : option->default_value;
}

std::vector<std::string> debug_subsystems(const Catalogue& catalogue, const Release& release) {
  std::vector<std::string> names;
  for (const auto& [name, subsystem] : catalogue.subsystems)
    if (subsystem.value("osd", false) && has_subsystem(subsystem, release))
      names.push_back(std::string(kDebug) + name);
  return names;
}

std::vector<std::string> debug_subsystems(const Catalogue& catalogue, const std::string& release) {
  return debug_subsystems(catalogue, parse_release(release));
}

}  // namespace osdtune
