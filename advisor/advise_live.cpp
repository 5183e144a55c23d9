// SPDX-License-Identifier: Apache-2.0
// Asks a running cluster for what rules want to know.
#include "advisor/advise_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "knowledge/catalogue.hpp"
#include "search/option_source.hpp"

namespace osdtune {
namespace {

constexpr std::size_t kMostOsds = 200;  // asking each daemon takes time; beyond that a part stands for all

std::set<std::string> names_to_ask(const Facts& facts) {
  const Catalogue catalogue = load_catalogue();
  std::set<std::string> names;
  for (const std::string& name : described_options(catalogue)) names.insert(name);
  for (const FoundSetting& setting : facts.settings) names.insert(setting.name);
  return names;
}

void add_running(Cluster& cluster, Facts* facts) {
  const std::set<std::string> names = names_to_ask(*facts);
  std::size_t asked = 0;
  for (auto& [id, osd] : facts->osds) {
    if (osd.up == false) continue;
    if (++asked > kMostOsds) break;
    osd.running = cluster.running_values(id, names);
  }
  if (asked > kMostOsds)
    facts->notes.push_back(
        fmt::format("running values were asked from {} of {} OSDs", kMostOsds, facts->osds.size()));
}

/// The cluster's hosts know little of power and sleep states; this machine knows its own.
void add_this_host(Facts* facts) {
  HostFacts here = collect_host_facts();
  if (!here.name || !facts->hosts.contains(*here.name)) return;
  facts->hosts[*here.name] = std::move(here);
}

void add_pools(Cluster& cluster, Facts* facts) {
  for (const Pool& pool : cluster.pools()) {
    PoolFacts known{.name = pool.name, .pg_num = pool.pg_num, .autoscale = pool.autoscale_mode};
    if (pool.size > 0) known.size = pool.size;
    if (pool.min_size > 0) known.min_size = pool.min_size;
    known.erasure = pool.erasure;
    facts->pools.push_back(known);
  }
}

void add_pg_states(Cluster& cluster, Facts* facts) {
  double other = 0, total = 0;
  for (const auto& [state, number] : cluster.pg_states()) {
    total += number;
    if (state != "active+clean") other += number;
  }
  if (total == 0) return;
  facts->misplaced_or_degraded = other;
  facts->pgs_total = total;
}

}  // namespace

Facts facts_of_cluster(Cluster& cluster) {
  Facts facts;
  facts.release = cluster.release();
  facts.health = cluster.health().status;
  add_json(cluster.osd_metadata(), "osd metadata", &facts);
  for (const Osd& osd : cluster.osds()) {
    OsdFacts& known = facts.osds[osd.id];
    known.id = osd.id;
    known.up = osd.up;
    if (!osd.device_class.empty()) known.device_class = osd.device_class;
    if (!osd.host.empty()) known.host = osd.host;
  }
  for (const StoredOption& option : cluster.stored_options())
    facts.settings.push_back({option.section, option.mask, option.name, option.value, true, {"monitors", 0}});
  const std::set<std::string> flags = cluster.flags();
  facts.flags = std::vector<std::string>(flags.begin(), flags.end());
  add_pools(cluster, &facts);
  add_pg_states(cluster, &facts);
  add_running(cluster, &facts);
  add_this_host(&facts);
  return facts;
}

std::vector<std::string> catalogue_differences(Cluster& cluster, const Facts& facts) {
  const Catalogue catalogue = load_catalogue();
  std::vector<std::string> differences;
  for (const std::string& name : described_options(catalogue))
    if (const auto found = catalogue_difference(catalogue, cluster, facts.release.value_or("20.2"), name))
      differences.push_back(*found);
  return differences;
}

}  // namespace osdtune
