// SPDX-License-Identifier: Apache-2.0
// Changing a cluster and putting it back.
#include "search/cluster/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"

namespace osdtune {
using namespace std::chrono_literals;

namespace {

constexpr const char* kLockKey = "osdtune/session";

// Monitors send a stored value to the daemons a moment later; on a loaded host that moment can take seconds.
constexpr auto kHearsAfter = 250ms;
constexpr int kHearings = 60;

bool same_place(const StoredOption& a, const StoredOption& b) {
  return a.name == b.name && a.section == b.section && a.mask == b.mask;
}

/// Entries of `from` that are missing in `other` at that place or (with_value) have another value there.
std::vector<StoredOption> lacking(const std::vector<StoredOption>& from,
                                  const std::vector<StoredOption>& other, bool with_value) {
  std::vector<StoredOption> out;
  std::copy_if(from.begin(), from.end(), std::back_inserter(out), [&](const StoredOption& option) {
    return std::none_of(other.begin(), other.end(), [&](const StoredOption& twin) {
      return same_place(option, twin) && (!with_value || same_value(option.value, twin.value));
    });
  });
  return out;
}

/// The store as it should be: a searched option stands at one place only, so that no narrower entry shadows
/// it.
std::vector<StoredOption> wanted_entries(const Snapshot& before, const Settings& settings) {
  std::vector<StoredOption> wanted;
  for (const auto& option : before.stored)
    if (!settings.options.contains(option.name)) wanted.push_back(option);
  for (const auto& [name, entry] : settings.options)
    wanted.push_back({.section = entry.section, .mask = "", .name = name, .value = entry.value});
  return wanted;
}

std::vector<StoredOption> current_entries(Cluster& cluster, const Snapshot& before) {
  auto current = cluster.stored_options();
  std::erase_if(current, [&](const StoredOption& option) { return !before.names.contains(option.name); });
  return current;
}

std::set<int> ids_of(const Snapshot& snapshot) {
  std::set<int> ids;
  for (const auto& [id, values] : snapshot.running) ids.insert(id);
  return ids;
}

}  // namespace

Session::Session(Cluster& cluster, OsdControl* control, Journal journal, Progress& progress,
                 std::stop_token stop)
    : cluster_(cluster),
      control_(control),
      journal_(std::move(journal)),
      progress_(progress),
      stop_(std::move(stop)) {}

void Session::check_stop() const {
  if (stop_.stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
}

void Session::quiet() {
  const JournalHeader& header = journal_.content().header;
  progress_.phase(Phase::kChange, "scrub, balancer and autoscaler off");
  cluster_.set_config_key(kLockKey,
                          fmt::format("{} process {} study {}", header.host, header.pid, header.study));
  for (const auto& flag : kQuietFlags) cluster_.set_flag(flag, true);
  if (journal_.content().before.balancer) cluster_.set_balancer(false);
  for (const auto& [pool, mode] : journal_.content().before.autoscale)
    if (mode != "off") cluster_.set_autoscale(pool, "off");
}

void Session::prepare(const LoadImages& load) {
  check_stop();
  load_ = load;
  progress_.phase(Phase::kPrefill, fmt::format("pool {}, {} image(s)", load.pool, load.images.size()));
  journal_.add_pool(load.pool);
  const auto pools = cluster_.pools();
  if (std::none_of(pools.begin(), pools.end(), [&](const Pool& pool) { return pool.name == load.pool; }))
    cluster_.create_pool(load.pool, load.pg_num, load.pool_size);
  wait_clean(cluster_, 120s, stop_);
  for (const auto& image : load.images) {
    check_stop();
    cluster_.create_image(load.pool, image, load.image_bytes);
  }
}

bool Session::store(const Settings& settings) {
  const Snapshot& before = journal_.content().before;
  const auto wanted = wanted_entries(before, settings);
  const auto current = current_entries(cluster_, before);
  const auto gone = lacking(current, wanted, false);
  const auto changed = lacking(wanted, current, true);
  cluster_.remove_options(gone);
  cluster_.set_options(changed);
  const auto waits = [&](const StoredOption& option) {
    return journal_.content().restart_names.contains(option.name);
  };
  return std::any_of(gone.begin(), gone.end(), waits) || std::any_of(changed.begin(), changed.end(), waits);
}

bool Session::apply(const Settings& settings) {
  check_stop();
  progress_.phase(Phase::kChange, "");
  const bool restart = store(settings);
  restart_due_ = restart_due_ || restart;
  const auto as_found = journal_.content().before.osds_per_device;
  const auto layout = settings.osds_per_device ? settings.osds_per_device : as_found;
  bool started = false;
  if (control_ != nullptr && layout && *layout != control_->osds_per_device()) {
    redeploy(*layout);
    started = true;
  } else if (restart_due_) {
    revive();
    started = true;
  }
  progress_.phase(Phase::kSettle, "");
  wait_clean(cluster_, 180s, stop_);
  verify_running(settings);
  return started;
}

void Session::revive() {
  if (control_ == nullptr) throw TrialError("OSDs of this cluster cannot be restarted from here");
  progress_.phase(Phase::kRestart, "all OSDs");
  restart_due_ = true;
  control_->restart_osds();
  restart_due_ = false;
}

void Session::redeploy(int osds_per_device) {
  progress_.phase(Phase::kRedeploy, fmt::format("{} OSD(s) per device", osds_per_device));
  if (load_) cluster_.remove_pool(load_->pool);
  control_->redeploy(osds_per_device);
  restart_due_ = false;
  if (load_) prepare(*load_);
}

void Session::verify_running(const Settings& settings) {
  std::string wrong = not_running(settings);
  for (int i = 0; i < kHearings && !wrong.empty(); ++i) {
    check_stop();
    cluster_.wait(kHearsAfter);
    wrong = not_running(settings);
  }
  if (!wrong.empty()) throw TrialError(wrong);
}

/// Says which option some OSD does not run with; "" if there is none.
std::string Session::not_running(const Settings& settings) {
  const Snapshot& before = journal_.content().before;
  std::set<std::string> names;
  for (const auto& [name, entry] : settings.options)
    if (entry.section == "osd") names.insert(name);
  for (const auto& osd : cluster_.osds()) {
    const auto running = cluster_.running_values(osd.id, before.names);
    for (const auto& name : names) {
      const auto it = running.find(name);
      const std::string& wanted = settings.options.at(name).value;
      if (it == running.end()) return fmt::format("osd.{} does not know the option {}", osd.id, name);
      if (!same_value(it->second, wanted))
        return fmt::format("{} did not take effect: osd.{} runs with {}, stored is {}", name, osd.id,
                           it->second, wanted);
    }
  }
  return "";
}

void Session::restore_layout() {
  const Snapshot& before = journal_.content().before;
  const auto pools = cluster_.pools();
  for (const auto& ours : journal_.content().pools)
    if (std::any_of(pools.begin(), pools.end(), [&](const Pool& pool) { return pool.name == ours; }))
      cluster_.remove_pool(ours);
  if (control_ == nullptr) return;
  std::set<int> ids;
  bool all_up = true;
  for (const auto& osd : cluster_.osds()) {
    ids.insert(osd.id);
    all_up = all_up && osd.up;
  }
  if (control_->osds_per_device() != before.osds_per_device || ids.size() != ids_of(before).size()) {
    progress_.phase(Phase::kRestore, fmt::format("{} OSD(s) per device", *before.osds_per_device));
    control_->redeploy(*before.osds_per_device);
  } else if (restart_due_ || !all_up) {
    progress_.phase(Phase::kRestore, "restarting OSDs");
    control_->restart_osds();
  }
  restart_due_ = false;
}

void Session::restore_quiet() {
  const Snapshot& before = journal_.content().before;
  for (const auto& [pool, mode] : before.autoscale) cluster_.set_autoscale(pool, mode);
  if (cluster_.balancer_active() != before.balancer) cluster_.set_balancer(before.balancer);
  const auto entry = balancer_entry(cluster_);
  if (entry && !before.balancer_stored) cluster_.remove_options({*entry});
  for (const auto& flag : kQuietFlags) cluster_.set_flag(flag, before.flags.contains(flag));
}

void Session::restore() {
  const Snapshot& before = journal_.content().before;
  try {
    progress_.phase(Phase::kRestore, "stored options");
    restart_due_ = store({}) || restart_due_;
    restore_layout();
    restore_quiet();
    auto wrong = differences(before, take_snapshot(cluster_, control_, before.names));
    for (int i = 0; i < kHearings && !wrong.empty(); ++i) {
      cluster_.wait(kHearsAfter);
      wrong = differences(before, take_snapshot(cluster_, control_, before.names));
    }
    if (!wrong.empty()) throw RollbackError(fmt::format("{}", fmt::join(wrong, "; ")));
    cluster_.remove_config_key(kLockKey);
    journal_.close();
  } catch (const RollbackError&) {
    throw;
  } catch (const std::exception& e) {
    throw RollbackError(e.what());
  }
}

void refuse_if_taken(Cluster& cluster, const std::string& pool) {
  const std::string holder = cluster.config_key(kLockKey);
  if (!holder.empty())
    throw Error(
        ErrorKind::kCluster, fmt::format("another sweep works on this cluster: {}", holder),
        fmt::format("wait for its end, or run 'osdtune rollback' there if it died; if its journal is lost: "
                    "ceph config-key rm {}",
                    kLockKey));
  const auto pools = cluster.pools();
  if (std::any_of(pools.begin(), pools.end(), [&](const Pool& other) { return other.name == pool; }))
    throw Error(
        ErrorKind::kCluster,
        fmt::format("the cluster has a pool '{}' already; a sweep makes and removes a pool of that name",
                    pool),
        "rename or remove that pool if it is not needed");
}

void with_rollback(Session& session, const std::function<void()>& body) {
  try {
    body();
  } catch (...) {
    session.restore();
    throw;
  }
  session.restore();
}

void wait_clean(Cluster& cluster, std::chrono::seconds bound, const std::stop_token& stop) {
  const auto until = std::chrono::steady_clock::now() + bound;
  std::string what;
  while (true) {
    what.clear();
    for (const auto& osd : cluster.osds())
      if (!osd.up) what += fmt::format("osd.{} is down; ", osd.id);
    for (const auto& [state, count] : cluster.pg_states())
      if (state != "active+clean") what += fmt::format("{} PGs {}; ", count, state);
    if (what.empty()) return;
    if (stop.stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
    if (std::chrono::steady_clock::now() > until)
      throw TrialError(fmt::format("the cluster did not become clean within {} s: {}", bound.count(),
                                   what.substr(0, what.size() - 2)));
    cluster.wait(200ms);
  }
}

}  // namespace osdtune
