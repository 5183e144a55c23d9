// SPDX-License-Identifier: Apache-2.0
// Brings a lab up: the stores of the OSDs are made while monitor and manager start.
#include <fmt/format.h>

#include <unistd.h>

#include <future>
#include <thread>

#include "core/error.hpp"
#include "search/cluster/lab.hpp"
#include "search/cluster/lab_config.hpp"
#include "search/cluster/lab_daemons.hpp"
#include "search/cluster/lab_osds.hpp"
#include "search/cluster/lab_ports.hpp"
#include "search/cluster/lab_registry.hpp"

namespace osdtune {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
namespace {

constexpr auto kPoll = 50ms;
constexpr auto kListenPoll = 5ms;
constexpr auto kMonBound = 20s;
constexpr auto kMgrBound = 60s;
constexpr auto kHealthBound = 15s;

void refuse_existing(const fs::path& lab) {
  if (fs::exists(lab_state_path(lab)))
    throw Error(
        ErrorKind::kUsage, fmt::format("there is a lab in {} already", lab.string()),
        fmt::format("use it, end it with 'osdtune lab down --dir {}', or give another --dir", lab.string()));
  if (fs::exists(lab) && !fs::is_empty(lab))
    throw Error(ErrorKind::kUsage, fmt::format("{} is not empty", lab.string()),
                "give a folder of its own with --dir");
}

LabState new_state(const LabOptions& options) {
  LabState state{.fsid = make_uuid(),
                 .mon_port = 0,
                 .devices = options.devices,
                 .osds_per_device = options.osds_per_device,
                 .device_bytes = options.device_bytes,
                 .replicas = options.replicas,
                 .cpus = options.cpus,
                 .osds = plan_lab_osds(options.devices, options.osds_per_device),
                 .daemons = {},
                 .maker = process_id(::getpid())};
  state.mon_port = find_free_port(static_cast<unsigned>(std::stoul(state.fsid.substr(0, 8), nullptr, 16)));
  return state;
}

/// Runs `done` until it is true. Throws TrialError if `daemon` ends or the bound passes.
template <class Done>
void wait_for(const LabWork& work, const std::string& daemon, std::chrono::seconds bound, Done done) {
  for (const auto until = Clock::now() + bound; !done(); std::this_thread::sleep_for(kListenPoll)) {
    check_stop(work);
    require_running(work.directory, work.state, daemon);
    if (Clock::now() > until)
      throw TrialError(fmt::format("{} is not ready after {} s; the end of its log:\n{}", daemon,
                                   bound.count(), log_end(work.directory, daemon)));
  }
}

void start_monitor(const LabWork& work) {
  work.progress.phase(Phase::kOther, "starting the monitor");
  const ProcessResult made =
      run({.argv = {"ceph-mon", "-c", lab_conf_path(work.directory).string(), "-i", "a", "--mkfs",
                    "--keyring", (work.directory / "mon.keyring").string()},
           .stop = work.stop});
  check_stop(work);
  if (!made.ok())
    throw TrialError(fmt::format("the monitor's store could not be made; the end of its log:\n{}\n{}",
                                 log_end(work.directory, "mon.a"), made.err));
  start_lab_daemon(work.directory, work.state, "mon.a");
  wait_for(work, "mon.a", kMonBound, [&] { return is_listening(work.state.mon_port); });
}

void start_manager(const LabWork& work, const RadosClient& client) {
  // Else this module makes a pool of its own as soon as there are OSDs.
  client.mon_text({{"prefix", "config set"},
                   {"who", "mgr"},
                   {"name", "mgr/devicehealth/enable_monitoring"},
                   {"value", "false"},
                   {"force", true}});
  start_lab_daemon(work.directory, work.state, "mgr.x");
}

void wait_manager(const LabWork& work, const RadosClient& client) {
  work.progress.phase(Phase::kOther, "waiting for the manager");
  wait_for(work, "mgr.x", kMgrBound, [&] {
    return client.mon({{"prefix", "mgr dump"}}).at("available").get<bool>();
  });
}

/// A lab that stays unhealthy is still a lab: say so and go on.
void wait_healthy(const LabWork& work, const RadosClient& client) {
  work.progress.phase(Phase::kOther, "waiting for HEALTH_OK");
  Json health;
  for (const auto until = Clock::now() + kHealthBound; Clock::now() < until;
       std::this_thread::sleep_for(kPoll)) {
    check_stop(work);
    health = client.mon({{"prefix", "health"}});
    if (health.at("status") == "HEALTH_OK") return;
  }
  for (const auto& [code, check] : health.at("checks").items())
    work.progress.warn(fmt::format("{}: {}", code, check.at("summary").value("message", "")));
}

void bring_up(const LabWork& work) {
  write_lab_config(work.directory, work.state);
  prepare_osds(work);
  auto stores = std::async(std::launch::async, [&] { make_osd_stores(work, StoreOptions::kConfFile); });
  start_monitor(work);
  const RadosClient client(lab_conf_path(work.directory), "client.admin");
  start_manager(work, client);
  work.progress.phase(Phase::kOther, fmt::format("making the stores of {} OSDs", work.state.osds.size()));
  register_osds(work, client);
  stores.get();
  work.progress.phase(Phase::kOther, fmt::format("waiting for {} OSDs to come up", work.state.osds.size()));
  start_osds(work, client);
  wait_manager(work, client);
  wait_healthy(work, client);
}

void clear_away(const LabWork& work) {
  work.progress.phase(Phase::kOther, "removing what was started");
  end_processes(find_lab_processes(work.directory));
  fs::remove_all(work.directory);
  forget_lab(work.directory);
}

}  // namespace

Lab lab_up(const LabOptions& wanted, Progress& progress, std::stop_token stop) {
  const LabOptions options = complete_lab_options(wanted);
  refuse_existing(options.directory);
  fs::create_directories(options.directory);
  fs::permissions(options.directory, fs::perms::owner_all);
  LabState state = new_state(options);
  save_lab_state(options.directory, state);
  remember_lab(options.directory);
  const LabWork work{options.directory, state, progress, stop};
  try {
    bring_up(work);
  } catch (const TrialError& e) {
    clear_away(work);
    throw Error(ErrorKind::kCluster, fmt::format("the lab did not come up: {}", e.what()));
  } catch (...) {
    clear_away(work);
    throw;
  }
  state.maker = {};
  save_lab_state(options.directory, state);
  return Lab(options.directory, state);
}

}  // namespace osdtune
