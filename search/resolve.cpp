// SPDX-License-Identifier: Apache-2.0
// Checking each setting of a plan against what the release and the cluster say of it.
#include "search/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "search/host_bounds.hpp"

namespace osdtune {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what, const std::string& hint = "") {
  throw Error(ErrorKind::kInput, fmt::format("space.{}: {}", name, what), hint);
}

bool is_integer_type(const std::string& type) {
  return type == "int" || type == "uint" || type == "size" || type == "secs" || type == "millisecs";
}

SettingKind kind_of(const Option& option) {
  if (is_integer_type(option.type)) return SettingKind::kInteger;
  if (option.type == "float") return SettingKind::kReal;
  if (option.type == "bool") return SettingKind::kBoolean;
  return SettingKind::kCategory;
}

/// A value of the plan in the option's type. Throws Error{kInput}.
Value typed_value(const Option& option, const Value& value) {
  const auto wrong = [&](const char* expected) {
    fail(option.name, fmt::format("expected {}, found {}", expected, to_json(value).dump()));
  };
  switch (kind_of(option)) {
    case SettingKind::kInteger:
      if (std::holds_alternative<std::int64_t>(value)) return value;
      if (const auto* text = std::get_if<std::string>(&value); text != nullptr && option.type == "size")
        return parse_size(*text, "space." + option.name);
      wrong(option.type == "size" ? "a size in bytes" : "a whole number");
      break;
    case SettingKind::kReal:
      if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
      if (std::holds_alternative<double>(value)) return value;
      wrong("a number");
      break;
    case SettingKind::kBoolean:
      if (std::holds_alternative<bool>(value)) return value;
      wrong("true or false");
      break;
    case SettingKind::kCategory:
      if (std::holds_alternative<std::string>(value)) return value;
      wrong("a string");
      break;
  }
  return value;
}

double as_number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

/// Log levels: "5" or "1/5", each 0 to 20 (99 is what Ceph takes at most).
bool is_debug_level(const std::string& text) {
  const auto slash = text.find('/');
  for (const auto& part :
       {text.substr(0, slash), slash == std::string::npos ? text : text.substr(slash + 1)}) {
    const auto level = to_number(part);
    if (!level || *level < 0 || *level > 99 || *level != std::floor(*level)) return false;
  }
  return true;
}

void check_value(const Option& option, const Value& value) {
  if (kind_of(option) == SettingKind::kInteger || kind_of(option) == SettingKind::kReal) {
    const double number = as_number(value);
    if (option.type == "uint" && number < 0) fail(option.name, fmt::format("{} is below 0", to_text(value)));
    if (option.min && number < *option.min)
      fail(option.name,
           fmt::format("{} is below the smallest value Ceph takes, {:g}", to_text(value), *option.min));
    if (option.max && number > *option.max)
      fail(option.name,
           fmt::format("{} is above the largest value Ceph takes, {:g}", to_text(value), *option.max));
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    const auto& allowed = option.enum_values;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), *text) == allowed.end())
      fail(option.name, fmt::format("'{}' is not one of {}", *text, fmt::join(allowed, ", ")));
    if (option.type == "debug" && !is_debug_level(*text))
      fail(option.name, fmt::format("'{}' is not a log level", *text),
           "write one level or two, such as \"5\" or \"1/5\", each from 0 to 20");
  }
}

/// The value as found in the option's type, or nullopt if it is not of that type (an unset string).
Value found_value(const Option& option, const std::string& text) {
  switch (kind_of(option)) {
    case SettingKind::kInteger:
    case SettingKind::kReal: {
      const auto number = to_number(text);
      if (!number) fail(option.name, fmt::format("the OSDs run with '{}', which is not a number", text));
      if (kind_of(option) == SettingKind::kReal) return *number;
      return static_cast<std::int64_t>(*number);
    }
    case SettingKind::kBoolean:
      return text == "true" || text == "1";
    case SettingKind::kCategory:
      return text;
  }
  return text;
}

Change change_of(const Option& option) {
  switch (takes_effect_or_restart(option)) {
    case TakesEffect::kLive:
    case TakesEffect::kImageReopen:
      return Change::kRuntime;  // fio opens the image anew for every run
    case TakesEffect::kNewConnections:
    case TakesEffect::kRestart:
      return Change::kRestart;
    case TakesEffect::kRecreate:
      return Change::kRedeploy;
  }
  return Change::kRestart;
}

/// Adds the value as found to a list that lacks it; keeps numbers in order.
void include_found(Setting& setting, std::vector<std::string>& notes) {
  auto same = [&](const Value& value) { return same_value(to_text(value), to_text(setting.default_value)); };
  const auto it = std::find_if(setting.values.begin(), setting.values.end(), same);
  if (it != setting.values.end()) {
    setting.default_value = *it;
    return;
  }
  notes.push_back(fmt::format("{}: the value as found, {}, joins the values to try", setting.name,
                              to_text(setting.default_value)));
  setting.values.push_back(setting.default_value);
  if (setting.kind == SettingKind::kInteger || setting.kind == SettingKind::kReal)
    std::sort(setting.values.begin(), setting.values.end(),
              [](const Value& a, const Value& b) { return as_number(a) < as_number(b); });
}

void set_list(Setting& setting, const Option& option, const SettingRange& range,
              std::vector<std::string>& notes) {
  for (const auto& raw : range.values) {
    const Value value = typed_value(option, raw);
    check_value(option, value);
    for (const auto& other : setting.values)
      if (same_value(to_text(value), to_text(other)))
        fail(option.name, fmt::format("{} and {} are the same value", to_text(other), to_text(value)));
    setting.values.push_back(value);
  }
  if (setting.kind == SettingKind::kInteger || setting.kind == SettingKind::kReal)
    std::sort(setting.values.begin(), setting.values.end(),
              [](const Value& a, const Value& b) { return as_number(a) < as_number(b); });
  include_found(setting, notes);
  if (setting.kind == SettingKind::kInteger || setting.kind == SettingKind::kReal) {
    setting.low = as_number(setting.values.front());
    setting.high = as_number(setting.values.back());
    setting.log = setting.low > 0 && setting.high / setting.low >= 4;
  }
}

void set_range(Setting& setting, const Option& option, const SettingRange& range,
               std::vector<std::string>& notes) {
  if (setting.kind != SettingKind::kInteger && setting.kind != SettingKind::kReal)
    fail(option.name, fmt::format("an option of type {} has no range", option.type),
         "list its values: [\"a\", \"b\"]");
  const Value low = typed_value(option, *range.low), high = typed_value(option, *range.high);
  check_value(option, low);
  check_value(option, high);
  setting.low = as_number(low);
  setting.high = as_number(high);
  setting.log = range.log;
  if (setting.low >= setting.high)
    fail(option.name, fmt::format("low ({}) is not below high ({})", to_text(low), to_text(high)));
  if (range.log && setting.low <= 0)
    fail(option.name, "a logarithmic scale begins above 0", "use the linear scale, or list the values");
  const double found = as_number(setting.default_value);
  if (found >= setting.low && found <= setting.high) return;
  notes.push_back(fmt::format("{}: the range now includes the value as found, {}", setting.name,
                              to_text(setting.default_value)));
  setting.low = std::min(setting.low, found);
  setting.high = std::max(setting.high, found);
  if (setting.low <= 0) setting.log = false;
}

/// The range that the option catalogue holds worth searching.
SettingRange known_range(const Option& option) {
  if (!option.search)
    fail(option.name, "the option catalogue has no range for it",
         "give a range or a list of values instead of \"auto\"");
  SettingRange range{.name = option.name, .log = option.search->log, .values = option.search->values};
  if (!range.values.empty()) return range;
  const auto value = [&](double x) {
    return kind_of(option) == SettingKind::kInteger ? Value(std::llround(x)) : Value(x);
  };
  range.low = value(option.search->low);
  range.high = value(option.search->high);
  return range;
}

Setting resolve_option(const SettingRange& written, const Option& option, const OptionSource& source,
                       std::vector<std::string>& notes) {
  if (!is_searchable(option))
    fail(option.name, fmt::format("is not searched: a wrong value risks {}", to_text(option.safety)),
         "remove it from the space");
  Setting setting{.name = option.name, .kind = kind_of(option), .change = change_of(option)};
  if (setting.change == Change::kRedeploy)
    fail(option.name, "takes effect only when an OSD is created anew; a sweep does not search it",
         "remove it from the space");
  if (setting.change == Change::kRestart && !source.can_restart)
    fail(option.name, "needs a restart of the OSDs, and this target cannot restart them",
         "search only settings that change at runtime there, or sweep on a lab");
  if (!option.takes_effect)
    notes.push_back(fmt::format(
        "{}: nobody has checked when a change takes effect, so the OSDs are restarted for it", option.name));
  setting.default_value = found_value(option, source.found(option.name));
  const SettingRange range = written.automatic ? known_range(option) : written;
  if (range.values.empty())
    set_range(setting, option, range, notes);
  else
    set_list(setting, option, range, notes);
  return setting;
}

Setting resolve_debug_levels(const SettingRange& range) {
  Setting setting{.name = kDebugLevels,
                  .kind = SettingKind::kCategory,
                  .default_value = std::string("default"),
                  .change = Change::kRuntime};
  for (const auto& value : range.values) {
    if (value != Value(std::string("default")) && value != Value(std::string("off")))
      fail(kDebugLevels, fmt::format("{} is not a known set of log levels", to_json(value).dump()),
           "known are \"default\" (as found) and \"off\" (0/0 for every subsystem); single ones are options: "
           "\"debug_osd\"");
    setting.values.push_back(value);
  }
  if (setting.values.empty()) fail(kDebugLevels, "expected a list", R"(write ["default", "off"])");
  std::vector<std::string> unused;
  include_found(setting, unused);
  return setting;
}

Setting resolve_osds_per_device(const SettingRange& range, const OptionSource& source,
                                std::vector<std::string>& notes) {
  if (!source.osds_per_device)
    fail(kOsdsPerDevice, "this target cannot redeploy OSDs", "remove it from the space, or sweep on a lab");
  const Option option{.name = kOsdsPerDevice, .type = "int", .min = 1, .max = 8};
  Setting setting{.name = kOsdsPerDevice,
                  .kind = SettingKind::kInteger,
                  .default_value = static_cast<std::int64_t>(*source.osds_per_device),
                  .change = Change::kRedeploy};
  if (range.values.empty())
    set_range(setting, option, range, notes);
  else
    set_list(setting, option, range, notes);
  return setting;
}

/// The condition with the values as the space has them.
SettingCondition resolve_condition(const Plan& plan, const SettingRange& range, const Space& space) {
  const std::string& name = range.when->setting;
  const auto at = std::find_if(plan.space.begin(), plan.space.end(),
                               [&](const SettingRange& other) { return other.name == name; });
  if (at == plan.space.end())
    fail(range.name, fmt::format("counts only with certain values of {}, which is not in the space", name));
  if (at->when) fail(range.name, fmt::format("depends on {}, which depends on another setting itself", name));
  const Setting& other = space.settings[static_cast<std::size_t>(at - plan.space.begin())];
  std::vector<Value> known = other.values;
  if (other.kind == SettingKind::kBoolean) known = {false, true};
  SettingCondition condition{.setting = name, .values = {}};
  for (const auto& value : range.when->values) {
    const auto same = std::find_if(known.begin(), known.end(), [&](const Value& candidate) {
      return same_value(to_text(candidate), to_text(value));
    });
    if (same == known.end())
      fail(range.name, fmt::format("counts only with {} = {}, which is not among the listed values of {}",
                                   name, to_text(value), name));
    condition.values.push_back(*same);
  }
  return condition;
}

[[noreturn]] void fail_unknown(const std::string& name, const OptionSource& source) {
  auto names = source.names;
  names.insert(names.end(), {kDebugLevels, kOsdsPerDevice});
  const auto near = nearest_name(name, names);
  fail(name, fmt::format("Ceph {} has no such option", source.release),
       near.empty() ? "check the spelling" : fmt::format("did you mean {}?", near));
}

}  // namespace

Resolved resolve_space(const Plan& plan, const OptionSource& source) {
  Resolved resolved;
  for (const auto& range : plan.space) {
    if (range.automatic && (range.name == kDebugLevels || range.name == kOsdsPerDevice))
      fail(range.name, "has no \"auto\"", "list its values");
    if (range.name == kDebugLevels) {
      resolved.space.settings.push_back(resolve_debug_levels(range));
    } else if (range.name == kOsdsPerDevice) {
      resolved.space.settings.push_back(resolve_osds_per_device(range, source, resolved.notes));
    } else if (const auto option = source.option(range.name)) {
      resolved.space.settings.push_back(resolve_option(range, *option, source, resolved.notes));
    } else {
      fail_unknown(range.name, source);
    }
  }
  for (std::size_t i = 0; i < plan.space.size(); ++i)
    if (plan.space[i].when)
      resolved.space.settings[i].when = resolve_condition(plan, plan.space[i], resolved.space);
  resolved.space.known = host_bounds(resolved.space, source);
  return resolved;
}

std::string section_of(const std::string& option) {
  return option.starts_with("rbd_") || option.starts_with("objecter_") ? "client" : "osd";
}

Settings settings_for(const Config& config, const Space& space, const std::vector<std::string>& debug_names) {
  Settings settings;
  const auto levels = config.find(kDebugLevels);
  const bool off = levels != config.end() && levels->second == Value(std::string("off"));
  if (off)
    for (const auto& name : debug_names) settings.options[name] = {"osd", "0/0"};
  for (const auto& setting : space.settings) {
    const Value& value = config.at(setting.name);
    if (setting.name == kDebugLevels) continue;
    if (setting.name == kOsdsPerDevice) {
      settings.osds_per_device = static_cast<int>(std::get<std::int64_t>(value));
    } else if (value != setting.default_value || settings.options.contains(setting.name)) {
      settings.options[setting.name] = {section_of(setting.name), to_text(value)};
    }
  }
  return settings;
}

std::set<std::string> touched_options(const Space& space, const std::vector<std::string>& debug_names) {
  std::set<std::string> names;
  for (const auto& setting : space.settings) {
    if (setting.name == kDebugLevels)
      names.insert(debug_names.begin(), debug_names.end());
    else if (setting.name != kOsdsPerDevice)
      names.insert(setting.name);
  }
  return names;
}

std::set<std::string> restart_options(const Space& space) {
  std::set<std::string> names;
  for (const auto& setting : space.settings)
    if (setting.change == Change::kRestart) names.insert(setting.name);
  return names;
}

}  // namespace osdtune
