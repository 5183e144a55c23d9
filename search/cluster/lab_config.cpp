// SPDX-License-Identifier: Apache-2.0
// Values chosen so that file-backed OSDs behave as on NVMe, nothing leaves the lab's folder, and no time is
// lost waiting.
#include "search/cluster/lab_config.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "core/error.hpp"

namespace osdtune {
namespace fs = std::filesystem;
namespace {

// Manager modules beyond those that are always on; a lab has no use for them, and loading them takes seconds
// of CPU.
constexpr const char* kUnusedModules =
    "alerts,cephadm,dashboard,diskprediction_local,feedback,influx,insights,iostat,k8sevents,localpool,"
    "mds_autoscaler,mirroring,nfs,osd_perf_query,osd_support,prometheus,restful,rgw,rook,selftest,snap_"
    "schedule,"
    "stats,telegraf,test_orchestrator,zabbix";

template <std::size_t N>
std::array<unsigned char, N> random_bytes() {
  std::array<unsigned char, N> bytes{};
  if (::getrandom(bytes.data(), N, 0) != static_cast<ssize_t>(N))
    throw Error(ErrorKind::kCluster, "the system gives no random numbers");
  return bytes;
}

std::string base64(const std::vector<unsigned char>& bytes) {
  static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < have ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= have ? kAlphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// The first of the folders that is there; libraries lie elsewhere on other architectures and distributions.
std::string library_folder(const std::string& name) {
  for (const char* base :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
    if (fs::exists(fs::path(base) / name)) return (fs::path(base) / name).string();
  return "";
}

/// Debian's 18.2 has relative plug-in folders compiled in, hence absolute ones here.
std::string plugin_folders() {
  std::string text;
  const std::pair<const char*, const char*> folders[] = {
      {"osd_class_dir", "rados-classes"}, {"erasure_code_dir", "ceph/erasure-code"}, {"plugin_dir", "ceph"}};
  for (const auto& [option, name] : folders)
    if (const std::string folder = library_folder(name); !folder.empty())
      text += fmt::format("{} = {}\n", option, folder);
  return text;
}

constexpr const char* kGlobal = R"([global]
fsid = {fsid}
mon_host = [v2:127.0.0.1:{port}]
ms_bind_msgr1 = false
ms_bind_ipv4 = true
ms_bind_ipv6 = false
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
auth_allow_insecure_global_id_reclaim = false
keyring = {lab}/admin.keyring
run_dir = {lab}/run
crash_dir = {lab}/crash
osd_crush_chooseleaf_type = 0
osd_pool_default_size = {replicas}
mon_allow_pool_size_one = true
mon_allow_pool_delete = true
mon_warn_on_pool_no_redundancy = false
mgr_stats_period = 1
)";

constexpr const char* kMon = R"(
[mon]
mon_data = {lab}/mon
keyring = {lab}/mon.keyring
log_file = {lab}/log/$name.log
admin_socket = {lab}/run/$name.asok
mon_cluster_log_file = {lab}/log/cluster.log
mon_data_avail_warn = 1
mon_data_avail_crit = 1
paxos_min_wait = 0.002
paxos_propose_interval = 0.05
mgr_initial_modules =
)";

constexpr const char* kMgr = R"(
[mgr]
public_addr = 127.0.0.1
mgr_data = {lab}/mgr
keyring = {lab}/mgr.keyring
log_file = {lab}/log/$name.log
admin_socket = {lab}/run/$name.asok
mgr_tick_period = 1
mgr_disabled_modules = {unused}
)";

// A file counts as rotational: the _hdd variants get the values of the _ssd ones (those of Ceph 16.2
// to 20.2), and the generic options stay at 0, "take the variant".
constexpr const char* kOsd = R"(
[osd]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
osd_data = {lab}/osd.$id
keyring = {lab}/osd.$id/keyring
log_file = {lab}/log/$name.log
admin_socket = {lab}/run/$name.asok
bluestore_debug_enforce_settings = ssd
osd_op_num_shards_hdd = 8
osd_op_num_threads_per_shard_hdd = 2
osd_recovery_max_active_hdd = 10
osd_recovery_sleep_hdd = 0
osd_recovery_sleep_hybrid = 0
osd_snap_trim_sleep_hdd = 0
osd_snap_trim_sleep_hybrid = 0
osd_delete_sleep_hdd = 1
osd_delete_sleep_hybrid = 1
osd_mclock_max_capacity_iops_hdd = 21500
osd_mclock_iops_capacity_threshold_hdd = 80000
osd_mclock_max_sequential_bandwidth_hdd = 1258291200
osd_mclock_skip_benchmark = true
)";

}  // namespace

std::string make_cephx_key() {
  // Layout of a CryptoKey: type (AES = 1), creation time (seconds, nanoseconds), length, secret; little
  // endian.
  const auto secret = random_bytes<16>();
  std::vector<unsigned char> bytes = {1, 0};
  const auto append = [&](std::uint32_t value, int width) {
    for (int i = 0; i < width; ++i) bytes.push_back(static_cast<unsigned char>(value >> (8 * i) & 0xff));
  };
  append(static_cast<std::uint32_t>(std::time(nullptr)), 4);
  append(0, 4);
  append(secret.size(), 2);
  bytes.insert(bytes.end(), secret.begin(), secret.end());
  return base64(bytes);
}

std::string make_uuid() {
  auto b = random_bytes<16>();
  b[6] = (b[6] & 0x0f) | 0x40;  // version 4
  b[8] = (b[8] & 0x3f) | 0x80;
  std::string text;
  for (std::size_t i = 0; i < b.size(); ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
  return text;
}

std::string keyring_entry(const std::string& name, const std::string& key,
                          const std::map<std::string, std::string>& caps) {
  std::string text = fmt::format("[{}]\n\tkey = {}\n", name, key);
  for (const auto& [service, cap] : caps) text += fmt::format("\tcaps {} = \"{}\"\n", service, cap);
  return text;
}

std::string lab_conf_text(const fs::path& lab, const LabState& state) {
  const std::string path = lab.string();  // fmt::arg keeps a reference
  const auto folder = fmt::arg("lab", path);
  return fmt::format(fmt::runtime(kGlobal), fmt::arg("fsid", state.fsid), fmt::arg("port", state.mon_port),
                     folder, fmt::arg("replicas", state.replicas)) +
         plugin_folders() + fmt::format(fmt::runtime(kMon), folder) +
         fmt::format(fmt::runtime(kMgr), folder, fmt::arg("unused", kUnusedModules)) +
         fmt::format(fmt::runtime(kOsd), folder);
}

void write_secret(const fs::path& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int code = errno;
  if (fd >= 0) ::close(fd);
  if (!written)
    throw Error(ErrorKind::kInput, fmt::format("cannot write {}: {}", path.string(), std::strerror(code)));
}

void write_lab_config(const fs::path& lab, const LabState& state) {
  for (const char* folder : {"mon", "mgr", "run", "crash", "log"}) fs::create_directory(lab / folder);
  save_text(lab_conf_path(lab), lab_conf_text(lab, state));
  const std::string mon = keyring_entry("mon.", make_cephx_key(), {{"mon", "allow *"}});
  const std::string admin =
      keyring_entry("client.admin", make_cephx_key(),
                    {{"mon", "allow *"}, {"osd", "allow *"}, {"mgr", "allow *"}, {"mds", "allow *"}});
  const std::string mgr = keyring_entry(
      "mgr.x", make_cephx_key(), {{"mon", "allow profile mgr"}, {"osd", "allow *"}, {"mds", "allow *"}});
  write_secret(lab / "mon.keyring", mon + admin + mgr);
  write_secret(lab / "admin.keyring", admin);
  write_secret(lab / "mgr.keyring", mgr);
}

}  // namespace osdtune
