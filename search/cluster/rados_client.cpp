// SPDX-License-Identifier: Apache-2.0
// librados through its C interface, which keeps one ABI over releases; return codes become errors in
// check_rados.
#include "search/cluster/rados_client.hpp"

#include <fmt/format.h>
#include <rados/librados.h>

#include <cstring>
#include <utility>
#include <vector>

namespace osdtune {
namespace {

// Bounds of every call, in seconds. librados waits for ever by default.
constexpr const char* kConnectTimeout = "10";
constexpr const char* kCommandTimeout = "30";

/// librados must neither print nor leave files behind.
constexpr std::pair<const char*, const char*> kClientOptions[] = {{"client_mount_timeout", kConnectTimeout},
                                                                  {"rados_mon_op_timeout", kCommandTimeout},
                                                                  {"rados_osd_op_timeout", kCommandTimeout},
                                                                  {"log_to_stderr", "false"},
                                                                  {"err_to_stderr", "false"},
                                                                  {"log_to_file", "false"},
                                                                  {"log_file", ""},
                                                                  {"admin_socket", ""}};

std::string trim_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// Takes over a buffer that librados allocated.
std::string take(char* buffer, std::size_t length) {
  std::string text = buffer == nullptr ? "" : std::string(buffer, length);
  rados_buffer_free(buffer);
  return text;
}

[[noreturn]] void throw_connect_error(int code, const std::filesystem::path& conf,
                                      const std::string& client) {
  if (code == -EACCES || code == -EPERM)
    throw Error(
        ErrorKind::kCluster,
        fmt::format("the cluster of {} refused {}: its key is wrong or missing", conf.string(), client),
        fmt::format("compare the keyring that this file names with 'ceph auth get {}'", client));
  if (code == -ENOENT || code == -EOPNOTSUPP)
    throw Error(ErrorKind::kCluster,
                fmt::format("no key for {} in the keyring that {} names", client, conf.string()),
                "set 'keyring' in that file, and check that you may read the keyring");
  throw Error(ErrorKind::kCluster,
              fmt::format("cannot connect to the cluster of {}: {}", conf.string(), std::strerror(-code)),
              "check that its monitors run and that 'mon_host' in that file is right");
}

struct Reply {
  int code = 0;
  std::string out;
  std::string status;
};

template <class Send>
Reply call(const std::string& command, Send send) {
  const char* commands[] = {command.c_str()};
  char *out = nullptr, *status = nullptr;
  std::size_t out_length = 0, status_length = 0;
  Reply reply;
  reply.code = send(commands, &out, &out_length, &status, &status_length);
  reply.out = take(out, out_length);
  reply.status = trim_end(take(status, status_length));
  return reply;
}

std::string name_of(const Json& command) {
  return command.value("prefix", "command");
}

}  // namespace

void check_rados(int code, const std::string& what, const std::string& words) {
  if (code >= 0) return;
  const std::string reason = words.empty() ? std::strerror(-code) : words;
  throw CommandError(fmt::format("{}: {}", what, reason), -code, reason);
}

RadosClient::RadosClient(const std::filesystem::path& conf, const std::string& client) {
  if (!std::filesystem::exists(conf))
    throw Error(ErrorKind::kInput, fmt::format("there is no file {}", conf.string()),
                "give the path of the cluster's ceph.conf, e.g. --on ceph:/etc/ceph/ceph.conf");
  rados_t cluster = nullptr;
  check_rados(rados_create2(&cluster, "ceph", client.c_str(), 0), "librados");
  handle_ = cluster;
  const auto close = [&] { rados_shutdown(std::exchange(handle_, nullptr)); };
  if (const int code = rados_conf_read_file(cluster, conf.c_str()); code < 0) {
    close();
    throw Error(ErrorKind::kInput, fmt::format("cannot read {}: {}", conf.string(), std::strerror(-code)),
                "'ceph-conf -c FILE -L' shows whether Ceph can read it");
  }
  for (const auto& [option, value] : kClientOptions) rados_conf_set(cluster, option, value);
  if (const int code = rados_connect(cluster); code < 0) {
    close();
    throw_connect_error(code, conf, client);
  }
}

RadosClient::~RadosClient() {
  if (handle_ != nullptr) rados_shutdown(handle_);
}

std::string RadosClient::fsid() const {
  std::vector<char> text(64);
  const int length = rados_cluster_fsid(handle_, text.data(), text.size());
  check_rados(length, "fsid");
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string RadosClient::mon_text(const Json& command, const std::string& input) const {
  const Reply reply = call(command.dump(), [&](auto commands, auto... out) {
    return rados_mon_command(handle_, commands, 1, input.data(), input.size(), out...);
  });
  check_rados(reply.code, fmt::format("'{}'", name_of(command)), reply.status);
  return reply.out;
}

Json RadosClient::mon(Json command) const {
  command["format"] = "json";
  const std::string text = mon_text(command);
  return text.empty() ? Json() : parse_json(text, fmt::format("answer to '{}'", name_of(command)));
}

Json RadosClient::one_mon(const std::string& name, Json command) const {
  command["format"] = "json";
  const Reply reply = call(command.dump(), [&](auto commands, auto... out) {
    return rados_mon_command_target(handle_, name.c_str(), commands, 1, "", 0, out...);
  });
  check_rados(reply.code, fmt::format("'{}' to mon.{}", name_of(command), name), reply.status);
  return parse_json(reply.out, fmt::format("answer of mon.{} to '{}'", name, name_of(command)));
}

Json RadosClient::osd(int id, Json command) const {
  command["format"] = "json";
  const Reply reply = call(command.dump(), [&](auto commands, auto... out) {
    return rados_osd_command(handle_, id, commands, 1, "", 0, out...);
  });
  check_rados(reply.code, fmt::format("'{}' to osd.{}", name_of(command), id), reply.status);
  return parse_json(reply.out, fmt::format("answer of osd.{} to '{}'", id, name_of(command)));
}

}  // namespace osdtune
