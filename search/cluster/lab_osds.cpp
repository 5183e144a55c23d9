// SPDX-License-Identifier: Apache-2.0
// Waiting goes by the OSD map, which is right at once, and by PG reports, which say of which epoch they are.
#include "search/cluster/lab_osds.hpp"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <thread>

#include "core/error.hpp"
#include "search/cluster/lab_config.hpp"
#include "search/cluster/lab_daemons.hpp"
#include "search/cluster/lab_place.hpp"

namespace osdtune {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
namespace {

constexpr auto kPoll = 50ms;
constexpr auto kUpBound = 60s;
constexpr auto kCleanBound = 120s;
constexpr auto kStoreBound = 120s;

fs::path osd_folder(const fs::path& lab, int id) {
  return lab / fmt::format("osd.{}", id);
}

fs::path device_folder(const fs::path& lab, int device) {
  return lab / fmt::format("dev{}", device);
}

/// The OSD's data folder, its key, and its share of the device: a sparse file, linked as `block`.
void prepare_folder(const LabWork& work, const LabOsd& osd) {
  const fs::path folder = osd_folder(work.directory, osd.id),
                 device = device_folder(work.directory, osd.device);
  fs::create_directories(folder);
  fs::create_directories(device);
  const fs::path share = device / fmt::format("share.{}", osd.id);
  write_secret(share, "");
  fs::resize_file(share, static_cast<std::uintmax_t>(work.state.device_bytes / work.state.osds_per_device));
  fs::create_symlink(share, folder / "block");
  write_secret(folder / "crush_device_class", "ssd\n");
  write_secret(folder / "keyring", keyring_entry(fmt::format("osd.{}", osd.id), make_cephx_key(), {}));
}

void make_store(const LabWork& work, const LabOsd& osd, StoreOptions options) {
  std::vector<std::string> argv = {
      "ceph-osd",   "-c",    lab_conf_path(work.directory).string(), "-i", std::to_string(osd.id), "--mkfs",
      "--osd-uuid", osd.uuid};
  if (options == StoreOptions::kConfFile) argv.push_back("--no-mon-config");
  const ProcessResult result = run({.argv = argv, .timeout = kStoreBound, .stop = work.stop});
  check_stop(work);
  if (!result.ok())
    throw TrialError(fmt::format("the store of osd.{} could not be made; the end of its log:\n{}", osd.id,
                                 log_end(work.directory, fmt::format("osd.{}", osd.id))));
}

std::string key_of(const fs::path& keyring) {
  const std::string text = load_text(keyring);
  const std::size_t start = text.find("key = ") + 6;
  return text.substr(start, text.find('\n', start) - start);
}

Json osd_map(const RadosClient& client) {
  return client.mon({{"prefix", "osd dump"}});
}

std::vector<std::string> ids_by_state(const Json& map, bool up) {
  std::vector<std::string> ids;
  for (const Json& osd : map.at("osds"))
    if ((osd.at("up").get<int>() == 1) == up) ids.push_back(std::to_string(osd.at("osd").get<int>()));
  return ids;
}

/// How many PGs are not active+clean by a report newer than `epoch`; -1 if the manager does not know all PGs
/// yet.
int unclean_pgs(const RadosClient& client, std::int64_t epoch) {
  std::int64_t expected = 0;
  const Json map = osd_map(client);
  for (const Json& pool : map.at("pools")) expected += pool.at("pg_num").get<int>();
  if (expected == 0) return 0;
  const Json dump = client.mon({{"prefix", "pg dump"}, {"dumpcontents", Json::array({"pgs"})}});
  const Json& pgs = dump.is_array() ? dump : dump.at("pg_stats");
  if (static_cast<std::int64_t>(pgs.size()) != expected) return -1;
  int unclean = 0;
  for (const Json& pg : pgs) {
    const Json& reported = pg.at("reported_epoch");  // a string in 16.2
    const std::int64_t at =
        reported.is_string() ? std::stoll(reported.get<std::string>()) : reported.get<std::int64_t>();
    unclean += pg.at("state") != "active+clean" || at <= epoch;
  }
  return unclean;
}

}  // namespace

void check_stop(const LabWork& work) {
  if (work.stop.stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
}

std::vector<LabOsd> plan_lab_osds(int devices, int osds_per_device) {
  std::vector<LabOsd> osds;
  for (int device = 0; device < devices; ++device)
    for (int share = 0; share < osds_per_device; ++share)
      osds.push_back({.id = static_cast<int>(osds.size()), .device = device, .uuid = make_uuid()});
  return osds;
}

void prepare_osds(const LabWork& work) {
  for (const LabOsd& osd : work.state.osds) prepare_folder(work, osd);
}

void make_osd_stores(const LabWork& work, StoreOptions options) {
  const std::size_t count = work.state.osds.size();
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> makers;
    for (std::size_t i = 0;
         i < std::min<std::size_t>(count, std::max(2U, std::thread::hardware_concurrency())); ++i)
      makers.emplace_back([&] {
        for (std::size_t k = next++; k < count; k = next++) try {
            make_store(work, work.state.osds[k], options);
          } catch (...) {
            failures[k] = std::current_exception();
          }
      });
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

void register_osds(const LabWork& work, const RadosClient& client) {
  for (const LabOsd& osd : work.state.osds) {
    const Json secret = {{"cephx_secret", key_of(osd_folder(work.directory, osd.id) / "keyring")}};
    client.mon_text({{"prefix", "osd new"}, {"uuid", osd.uuid}, {"id", osd.id}}, secret.dump());
  }
  const LabState& state = work.state;
  const std::int64_t target = lab_memory_target(work.directory, state.devices * state.device_bytes,
                                                static_cast<int>(state.osds.size()));
  if (target > 0)
    client.mon_text({{"prefix", "config set"},
                     {"who", "osd"},
                     {"name", "osd_memory_target"},
                     {"value", std::to_string(target)}});
  else
    client.mon_text({{"prefix", "config rm"}, {"who", "osd"}, {"name", "osd_memory_target"}});
}

std::int64_t stop_osds(const LabWork& work, const RadosClient& client) {
  std::vector<ProcessId> processes;
  for (const std::string& name : lab_osd_names(work.state))
    if (const auto found = work.state.daemons.find(name); found != work.state.daemons.end())
      processes.push_back(found->second);
  end_processes(processes);
  Json map = osd_map(client);
  if (const auto still_up = ids_by_state(map, true); !still_up.empty()) {
    client.mon_text({{"prefix", "osd down"}, {"ids", still_up}});
    map = osd_map(client);
  }
  return map.at("epoch").get<std::int64_t>();
}

void start_osds(const LabWork& work, const RadosClient& client) {
  const auto names = lab_osd_names(work.state);
  for (const std::string& name : names) {
    fs::remove(work.directory / "log" / (name + ".log"));
    start_lab_daemon(work.directory, work.state, name);
  }
  for (const auto until = Clock::now() + kUpBound;; std::this_thread::sleep_for(kPoll)) {
    check_stop(work);
    for (const std::string& name : names) require_running(work.directory, work.state, name);
    const auto down = ids_by_state(osd_map(client), false);
    if (down.empty()) return;
    if (Clock::now() > until)
      throw TrialError(fmt::format("osd.{} runs but is not up after {} s; the end of its log:\n{}", down[0],
                                   kUpBound.count(), log_end(work.directory, "osd." + down[0])));
  }
}

void wait_clean(const LabWork& work, const RadosClient& client, std::int64_t epoch) {
  for (const auto until = Clock::now() + kCleanBound;; std::this_thread::sleep_for(kPoll)) {
    check_stop(work);
    for (const std::string& name : lab_osd_names(work.state))
      require_running(work.directory, work.state, name);
    const int unclean = unclean_pgs(client, epoch);
    if (unclean == 0) return;
    if (Clock::now() > until)
      throw TrialError(fmt::format("{} PGs are not active+clean {} s after the OSDs came up", unclean,
                                   kCleanBound.count()));
  }
}

void remove_osds(const LabWork& work, const RadosClient& client) {
  for (const LabOsd& osd : work.state.osds) {
    const std::string name = fmt::format("osd.{}", osd.id);
    client.mon_text({{"prefix", "osd purge-actual"}, {"id", osd.id}, {"yes_i_really_mean_it", true}});
    fs::remove_all(osd_folder(work.directory, osd.id));
    fs::remove_all(device_folder(work.directory, osd.device));
    work.state.daemons.erase(name);
  }
  work.state.osds.clear();
  save_lab_state(work.directory, work.state);
}

}  // namespace osdtune
