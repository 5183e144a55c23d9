// SPDX-License-Identifier: Apache-2.0
// Asking the cluster and the catalogue about options.
#include "search/option_source.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/error.hpp"
#include "knowledge/option_value.hpp"
#include "search/cluster/snapshot.hpp"

namespace osdtune {
namespace {

/// `config help` of a live cluster in the catalogue's terms.
Option option_from_help(const OptionHelp& help) {
  Option option{.name = help.name,
                .type = help.type,
                .default_value = help.default_value,
                .enum_values = help.enum_values,
                .runtime_claimed = help.runtime_claimed};
  option.min = to_number(help.min);
  option.max = to_number(help.max);
  return option;
}

/// What the cluster says of its options, with the catalogue's truth about effect and safety.
std::optional<Option> live_option(const Catalogue& catalogue, Cluster& cluster, const std::string& release,
                                  const std::string& name) {
  const auto known = find_option(catalogue, name, release);
  if (known && known->type == "debug") return known;  // log levels are not listed by `config help`
  std::optional<Option> said;
  try {
    said = option_from_help(cluster.option_help(name));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kInput) throw;
    return std::nullopt;
  }
  if (!known) return said;
  said->takes_effect = known->takes_effect;
  said->safety = known->safety;
  said->search = known->search;
  return said;
}

/// Value that runs on all OSDs. "0 = as the device" is looked up in the _hdd/_ssd pair.
std::string live_value(Cluster& cluster, const std::string& name) {
  std::optional<std::string> common;
  const Json metadata = cluster.osd_metadata();
  for (const auto& osd : metadata) {
    const int id = osd.at("id");
    const bool rotational = osd.value("rotational", "0") == "1";
    const std::string pair = name + (rotational ? "_hdd" : "_ssd");
    const auto running = cluster.running_values(id, {name, pair});
    const auto it = running.find(name);
    if (it == running.end())
      throw Error(ErrorKind::kCluster, fmt::format("osd.{} does not know the option {}", id, name));
    const bool by_device = to_number(it->second) == 0.0 && running.contains(pair);
    const std::string value = by_device ? running.at(pair) : it->second;
    if (common && !same_value(*common, value))
      throw Error(
          ErrorKind::kCluster,
          fmt::format("the OSDs run with different values of {}: {} and {}", name, *common, value),
          "give all of them the same value first, so that the configuration as found is one configuration");
    common = value;
  }
  if (!common) throw Error(ErrorKind::kCluster, "the cluster has no OSDs that answer");
  return *common;
}

/// Log levels that the running OSDs have: those of the catalogue that the first OSD answers for.
std::vector<std::string> known_debug_names(const Catalogue& catalogue, Cluster& cluster,
                                           const std::string& release) {
  const auto candidates = debug_subsystems(catalogue, release);
  std::vector<std::string> known;
  for (const auto& [name, value] :
       cluster.running_values(cluster.osds().at(0).id, {candidates.begin(), candidates.end()}))
    known.push_back(name);
  return known;
}

}  // namespace

std::optional<double> to_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<std::string> catalogue_difference(const Catalogue& catalogue, Cluster& cluster,
                                                const std::string& release, const std::string& name) {
  const std::optional<Option> known = find_option(catalogue, name, release);
  if (!known || known->type == "debug") return std::nullopt;  // `config help` does not list log levels
  try {
    const OptionHelp help = cluster.option_help(name);
    const OptionValue here = read_option_value(*known, help.default_value);
    const OptionValue there = read_option_value(*known, known->default_value);
    if (!here.value || !there.value || to_text(*here.value) == to_text(*there.value)) return std::nullopt;
    return fmt::format("{}: default {} here, {} in the catalogue", name, help.default_value,
                       known->default_value);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kInput) throw;
    return name + ": in the catalogue, but this cluster does not know it";
  }
}

OptionSource live_source(const Catalogue& catalogue, Cluster& cluster, OsdControl* control) {
  OptionSource source{
      .release = cluster.release(), .names = cluster.option_names(), .can_restart = control != nullptr};
  source.debug_names = known_debug_names(catalogue, cluster, source.release);
  source.option = [&catalogue, &cluster, release = source.release](const std::string& name) {
    return live_option(catalogue, cluster, release, name);
  };
  source.found = [&cluster](const std::string& name) { return live_value(cluster, name); };
  if (control != nullptr) source.osds_per_device = control->osds_per_device();
  return source;
}

OptionSource catalogue_source(const Catalogue& catalogue, const std::string& release) {
  OptionSource source{.release = release,
                      .names = option_names(catalogue, parse_release(release)),
                      .osds_per_device = 1,
                      .can_restart = true};
  source.debug_names = debug_subsystems(catalogue, release);
  source.option = [&catalogue, release](const std::string& name) {
    return find_option(catalogue, name, release);
  };
  source.found = [&catalogue, release](const std::string& name) {
    return default_for(catalogue, name, parse_release(release), "ssd").value_or("");
  };
  return source;
}

}  // namespace osdtune
