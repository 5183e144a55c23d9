// SPDX-License-Identifier: Apache-2.0
// The Cluster interface in terms of monitor and OSD commands.
#include "search/cluster/rados.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "search/cluster/image.hpp"
#include "search/cluster/rados_replies.hpp"

namespace osdtune {
namespace {

// Each `config set` is one paxos round; sent together, the monitors commit many in one round.
constexpr std::size_t kCommandsInFlight = 8;

/// Runs `work(0..count-1)` on a few threads; the first failure is thrown again when all have ended.
void run_concurrently(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  {
    std::vector<std::jthread> workers;
    for (std::size_t worker = 0; worker < std::min(count, kCommandsInFlight); ++worker)
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < count; i = next++) try {
            work(i);
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
          }
      });
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::string RadosCluster::release() {
  return parse_release(client_.mon({{"prefix", "versions"}}));
}

Health RadosCluster::health() {
  return parse_health(client_.mon({{"prefix", "health"}}));
}

std::vector<Osd> RadosCluster::osds() {
  return parse_osds(client_.mon({{"prefix", "osd dump"}}), client_.mon({{"prefix", "osd tree"}}),
                    osd_metadata());
}

std::int64_t RadosCluster::osd_map_epoch() {
  return parse_osd_map_epoch(client_.mon({{"prefix", "osd stat"}}));
}

Json RadosCluster::osd_metadata() {
  return client_.mon({{"prefix", "osd metadata"}});
}

PgStates RadosCluster::pg_states() {
  return parse_pg_states(client_.mon({{"prefix", "pg stat"}}));
}

std::vector<Pool> RadosCluster::pools() {
  return parse_pools(client_.mon({{"prefix", "osd dump"}}));
}

std::vector<std::string> RadosCluster::option_names() {
  return client_.mon({{"prefix", "config ls"}}).get<std::vector<std::string>>();
}

OptionHelp RadosCluster::option_help(const std::string& name) {
  try {
    return parse_option_help(client_.mon({{"prefix", "config help"}, {"key", name}}));
  } catch (const CommandError& e) {
    if (e.code() != ENOENT) throw;
    throw Error(ErrorKind::kInput, fmt::format("the cluster knows no option '{}'", name),
                "'ceph config ls' lists its options");
  }
}

std::vector<StoredOption> RadosCluster::stored_options() {
  return parse_stored_options(client_.mon({{"prefix", "config dump"}}));
}

std::map<std::string, std::string> RadosCluster::running_values(int osd, const std::set<std::string>& names) {
  return parse_running_values(client_.osd(osd, {{"prefix", "config show"}}), names);
}

std::map<std::string, LatencySum> RadosCluster::latencies(int osd) {
  return parse_latencies(client_.osd(osd, {{"prefix", "perf dump"}}));
}

void RadosCluster::set_options(const std::vector<StoredOption>& options) {
  run_concurrently(options.size(), [&](std::size_t i) {
    const StoredOption& option = options[i];
    try {
      client_.mon_text({{"prefix", "config set"},
                        {"who", section_text(option)},
                        {"name", option.name},
                        {"value", option.value}});
    } catch (const CommandError& e) {
      if (e.code() != EINVAL && e.code() != ENOENT) throw;
      throw TrialError(fmt::format("the cluster refuses {} = {} for {}: {}", option.name, option.value,
                                   section_text(option), e.words()));
    }
  });
}

void RadosCluster::remove_options(const std::vector<StoredOption>& options) {
  run_concurrently(options.size(), [&](std::size_t i) {
    client_.mon_text({{"prefix", "config rm"}, {"who", section_text(options[i])}, {"name", options[i].name}});
  });
}

std::set<std::string> RadosCluster::flags() {
  return parse_flags(client_.mon({{"prefix", "osd dump"}}));
}

void RadosCluster::set_flag(const std::string& flag, bool on) {
  client_.mon_text({{"prefix", on ? "osd set" : "osd unset"}, {"key", flag}});
}

bool RadosCluster::balancer_active() {
  return client_.mon({{"prefix", "balancer status"}}).at("active").get<bool>();
}

void RadosCluster::set_balancer(bool active) {
  client_.mon_text({{"prefix", active ? "balancer on" : "balancer off"}});
}

void RadosCluster::set_autoscale(const std::string& pool, const std::string& mode) {
  client_.mon_text({{"prefix", "osd pool set"}, {"pool", pool}, {"var", "pg_autoscale_mode"}, {"val", mode}});
}

void RadosCluster::create_pool(const std::string& name, int pg_num, int size) {
  Json command = {
      {"prefix", "osd pool create"}, {"pool", name},           {"pg_num", pg_num}, {"pgp_num", pg_num},
      {"pool_type", "replicated"},   {"autoscale_mode", "off"}};
  if (size > 0) command["size"] = size;
  client_.mon_text(command);
  client_.mon_text({{"prefix", "osd pool application enable"}, {"pool", name}, {"app", "rbd"}});
}

void RadosCluster::remove_pool(const std::string& name) {
  try {
    client_.mon_text(
        {{"prefix", "osd pool rm"}, {"pool", name}, {"pool2", name}, {"yes_i_really_really_mean_it", true}});
  } catch (const CommandError& e) {
    if (e.code() != EPERM) throw;
    throw Error(ErrorKind::kCluster, fmt::format("the monitors do not allow removing pool '{}'", name),
                "ceph config set mon mon_allow_pool_delete true");
  }
}

bool RadosCluster::may_remove_pools() {
  constexpr const char* kOption = "mon_allow_pool_delete";
  const auto names = parse_mon_names(client_.mon({{"prefix", "mon dump"}}));
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const Json answer = client_.one_mon(name, {{"prefix", "config get"}, {"var", kOption}});
    return answer.value(kOption, "") == "true";
  });
}

std::string RadosCluster::config_key(const std::string& key) {
  try {
    return client_.mon_text({{"prefix", "config-key get"}, {"key", key}});
  } catch (const CommandError& e) {
    if (e.code() == ENOENT) return "";
    throw;
  }
}

void RadosCluster::set_config_key(const std::string& key, const std::string& value) {
  client_.mon_text({{"prefix", "config-key set"}, {"key", key}, {"val", value}});
}

void RadosCluster::remove_config_key(const std::string& key) {
  client_.mon_text({{"prefix", "config-key rm"}, {"key", key}});
}

void RadosCluster::create_image(const std::string& pool, const std::string& name, std::int64_t bytes) {
  write_image(client_, pool, name, bytes);
}

std::unique_ptr<Cluster> connect_rados(const std::filesystem::path& conf, const std::string& client) {
  return std::make_unique<RadosCluster>(conf, client);
}

}  // namespace osdtune
