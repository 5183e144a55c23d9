// SPDX-License-Identifier: Apache-2.0
// Ports are tried by binding; the range lies below the ephemeral ports, which outgoing connections take.
#include "search/cluster/lab_ports.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.hpp"

namespace osdtune {
namespace {

constexpr int kFirstPort = 23300;
constexpr int kPorts = 2000;

/// A TCP socket and the loopback address of `port`; `use` gets both.
template <class Use>
bool with_socket(int port, Use use) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool result = use(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::close(fd);
  return result;
}

}  // namespace

int find_free_port(unsigned seed) {
  for (unsigned i = 0; i < kPorts; ++i) {
    const int port = kFirstPort + static_cast<int>((seed + i) % kPorts);
    if (with_socket(port, [](int fd, const sockaddr* a, socklen_t n) { return ::bind(fd, a, n) == 0; }))
      return port;
  }
  throw Error(ErrorKind::kCluster,
              fmt::format("no free TCP port between {} and {}", kFirstPort, kFirstPort + kPorts - 1));
}

bool is_listening(int port) {
  return with_socket(port, [](int fd, const sockaddr* a, socklen_t n) { return ::connect(fd, a, n) == 0; });
}

}  // namespace osdtune
