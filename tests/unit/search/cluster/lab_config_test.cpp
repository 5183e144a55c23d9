// SPDX-License-Identifier: Apache-2.0
// ceph.conf, keys and ports of a lab.
#include "search/cluster/lab_config.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "search/cluster/lab_osds.hpp"
#include "search/cluster/lab_ports.hpp"

using namespace osdtune;

TEST_CASE(
    "settings that a sweep searches are not in the lab's ceph.conf, where they would hide the monitors' "
    "values") {
  const std::string conf = lab_conf_text("/tmp/lab", LabState{.fsid = "f", .mon_port = 23300, .replicas = 1});
  for (const char* name : {"\nosd_op_num_shards =", "\nosd_op_num_threads_per_shard =",
                           "\nms_async_op_threads", "\nosd_memory_target", "\ndebug_", "\nosd_op_queue"})
    CHECK_MESSAGE(conf.find(name) == std::string::npos, name);
}

TEST_CASE("every path in the lab's ceph.conf lies in its folder, but for the plug-ins") {
  const std::string conf = lab_conf_text("/tmp/lab", LabState{.fsid = "f", .mon_port = 23300, .replicas = 1});
  for (std::size_t at = conf.find("= /"); at != std::string::npos; at = conf.find("= /", at + 1)) {
    const std::string path = conf.substr(at + 2, conf.find('\n', at) - at - 2);
    CHECK_MESSAGE((path.starts_with("/tmp/lab/") || path.starts_with("/usr/lib")), path);
  }
}

TEST_CASE("a cephx key is 28 bytes in base64 and never the same twice") {
  const std::string key = make_cephx_key();
  CHECK(key.size() == 40);
  CHECK(key.starts_with("AQ"));  // type 1 in the first two bytes
  CHECK(key.ends_with("=="));
  CHECK(key != make_cephx_key());
}

TEST_CASE("OSDs are numbered through, device by device") {
  const auto osds = plan_lab_osds(2, 2);
  REQUIRE(osds.size() == 4);
  CHECK(osds[1].id == 1);
  CHECK(osds[1].device == 0);
  CHECK(osds[2].device == 1);
  CHECK(osds[0].uuid != osds[1].uuid);
}

TEST_CASE("a port that is taken is passed over") {
  const int port = find_free_port(77);
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK_FALSE(is_listening(port));
  REQUIRE(::listen(fd, 1) == 0);
  CHECK(is_listening(port));
  CHECK(find_free_port(77) != port);
  ::close(fd);
}
