// SPDX-License-Identifier: Apache-2.0
// Answers rules' questions about one subject: stored facts first, then what can be worked out.
#include "knowledge/world.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "knowledge/option_value.hpp"
#include "knowledge/rocksdb_options.hpp"

namespace osdtune {
namespace {

std::optional<Release> known_release(const Facts& facts) {
  if (!facts.release) return std::nullopt;
  try {
    return parse_release(*facts.release);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The part after "prefix.", or nullopt.
std::optional<std::string> after(const std::string& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size());
}

std::optional<Value> whole(std::size_t number) {
  return Value(static_cast<std::int64_t>(number));
}

}  // namespace

void FactList::put(std::string_view name, Value value) {
  for (auto& [known, old] : facts_)
    if (known == name) {
      old = std::move(value);
      return;
    }
  facts_.emplace_back(name, std::move(value));
}

const Value* FactList::find(std::string_view name) const {
  for (const auto& [known, value] : facts_)
    if (known == name) return &value;
  return nullptr;
}

World::World(const Facts& facts, const Catalogue& catalogue, std::map<std::string, Value> overlay)
    : facts_(facts),
      catalogue_(catalogue),
      overlay_(std::move(overlay)),
      index_(facts),
      release_(known_release(facts)) {
  add_cluster();
  add_hosts();
  add_osds();
  add_pools();
  add_settings();
  add_loads();
}

const Option* World::option(const std::string& name) const {
  const auto [found, is_new] = options_.try_emplace(name);
  if (is_new) {
    if (release_) found->second = find_option(catalogue_, name, *release_);
    if (!found->second) found->second = find_option_anywhere(catalogue_, name);
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<Value> World::fact(const Subject& subject, const std::string& name) const {
  if (const auto found = overlay_.find(name); found != overlay_.end()) return found->second;
  for (const Subject* each = &subject; each; each = each->parent)
    if (const Value* found = each->facts.find(name)) return *found;
  return worked_out(subject, name);
}

std::optional<Value> World::typed(const std::string& name, const std::string& text) const {
  const Option* known = option(name);
  if (!known) return Value(text);
  const OptionValue read = read_option_value(*known, text);
  return read.value ? read.value : std::nullopt;
}

std::optional<Value> World::option_value(const Subject& subject, const std::string& name) const {
  if (const auto effective = index_.effective(subject.osd, name))
    if (const auto value = typed(name, effective->value)) return value;
  return default_value(name);
}

bool World::in_release(const std::string& name) const {
  const auto [found, is_new] = in_release_.try_emplace(name, false);
  if (is_new && release_) found->second = find_option(catalogue_, name, *release_).has_value();
  return found->second;
}

std::optional<Value> World::default_value(const std::string& name) const {
  if (!release_) return std::nullopt;
  const auto [found, is_new] = defaults_.try_emplace(name);
  if (!is_new) return found->second;
  const std::optional<Option> known = find_option(catalogue_, name, *release_);
  if (!known) return std::nullopt;
  const OptionValue read = read_option_value(*known, known->default_value);
  found->second = read.value ? read.value : std::optional<Value>(known->default_value);
  return found->second;
}

std::optional<Value> World::rocksdb_value(const Subject& subject, const std::string& key) const {
  const auto text = option_value(subject, "bluestore_rocksdb_options");
  if (!text) return std::nullopt;
  const auto options = parse_rocksdb_options(to_text(*text));
  if (key == "unknown") return Value(fmt::format("{}", fmt::join(unknown_rocksdb_keys(options), ", ")));
  if (key == "buffer_bytes") {
    const double bytes = rocksdb_buffer_bytes(options);
    return bytes < 0 ? std::nullopt : std::optional<Value>(bytes);
  }
  if (key == "keys") return whole(options.size());
  const auto found = options.find(key);
  if (found == options.end()) return std::nullopt;
  const double number = rocksdb_number(found->second);
  return number < 0 ? Value(found->second) : Value(number);
}

std::optional<Value> World::worked_out(const Subject& subject, const std::string& name) const {
  if (const auto option = after(name, "opt.")) return option_value(subject, *option);
  if (const auto option = after(name, "set.")) {
    const FoundSetting* found = index_.set_for(subject.osd, *option);
    return found ? typed(*option, found->value) : std::nullopt;
  }
  if (const auto option = after(name, "client.")) {
    const FoundSetting* found = index_.set_for_client(*option);
    return found ? typed(*option, found->value) : std::nullopt;
  }
  if (const auto option = after(name, "run.")) {
    const auto effective = index_.effective(subject.osd, *option);
    return effective && effective->section == "running" ? typed(*option, effective->value) : std::nullopt;
  }
  for (const bool log : {true, false}) {
    const auto subsystem = after(name, log ? "log." : "gather.");
    const auto value = subsystem ? option_value(subject, "debug_" + *subsystem) : std::nullopt;
    const auto levels = value ? parse_debug_levels(to_text(*value)) : std::nullopt;
    if (levels) return whole(static_cast<std::size_t>(log ? levels->log : levels->gather));
  }
  if (const auto counter = after(name, "perf.")) {
    const auto osd = facts_.osds.find(subject.osd);
    if (osd == facts_.osds.end()) return std::nullopt;
    const auto found = osd->second.counters.find(*counter);
    return found == osd->second.counters.end() ? std::nullopt : std::optional<Value>(found->second);
  }
  if (const auto key = after(name, "rocksdb.")) return rocksdb_value(subject, *key);
  return std::nullopt;
}

}  // namespace osdtune
