// SPDX-License-Identifier: Apache-2.0
// Sizing: the answer meets the demand, and one host less does not.
#include "advisor/size.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

using namespace osdtune;

namespace {

const std::vector<std::string> kHosts = {"dense-64-core", "edge-8-core",        "hdd-24",
                                         "lab",           "one-socket-16-core", "two-socket-numa"};

HostFile example(const std::string& name) {
  return load_host(OSDTUNE_SOURCE_DIR "/examples/hosts/" + name + ".json");
}

}  // namespace

TEST_CASE("size: what is expected to do does, and one host less does not") {
  for (const std::string& name : kHosts) {
    const HostFile host = example(name);
    const Demand demand{.iops = name == "hdd-24" ? 20e3 : 300e3};
    const HostFit fit = uncalibrated();
    for (const Sizing& sizing : size(demand, host, fit).sizings) {
      CAPTURE(name);
      CAPTURE(sizing.osds_per_device);
      REQUIRE(sizing.hosts);
      CHECK(sizing.outlook.at.iops >= demand.iops);
      CHECK(sizing.customers > 1);
      if (sizing.hosts_sure) CHECK(*sizing.hosts_sure >= *sizing.hosts);
      if (*sizing.hosts <= host.osds.replicas) continue;
      HostShape fewer = host.shape;
      fewer.hosts = *sizing.hosts - 1;
      OsdShape osds = host.osds;
      osds.osds_per_device = sizing.osds_per_device;
      osds.pgs_per_osd *= host.osds.osds_per_device / sizing.osds_per_device;
      CHECK(predict(fewer, osds, fit.costs, {.customers = 1e6, .clients = 1e5}).iops < demand.iops * 1.02);
    }
  }
}

TEST_CASE("size: a latency out of reach is said, and more hosts than copies are never below them") {
  const SizeAnswer answer = size({.iops = 1000, .p99_us = 10}, example("hdd-24"), uncalibrated());
  for (const Sizing& sizing : answer.sizings) CHECK(!sizing.hosts);
  CHECK(to_text(answer).find("out of reach") != std::string::npos);
  CHECK(*size({.iops = 1}, example("dense-64-core"), uncalibrated()).sizings.front().hosts == 3);
}

TEST_CASE("size: prices give cost per IOPS and per usable TB") {
  HostFile host = example("one-socket-16-core");
  host.host_price = 6000;
  host.device_price = 1000;
  const SizeAnswer answer = size({.iops = 1}, host, uncalibrated());
  // 3 hosts: 3 x (6000 + 4 x 1000) for 3 x 4 x 7.68 TB / 3 copies x 0.8
  CHECK(to_text(answer).find("30000 EUR") != std::string::npos);
  CHECK(to_text(answer).find("1221 per usable TB") != std::string::npos);
}

TEST_CASE("size: nonsense is refused") {
  CHECK_THROWS_AS(size({.iops = 0}, example("lab"), uncalibrated()), Error);
  CHECK_THROWS_AS(size({.iops = 10, .p99_us = 0}, example("lab"), uncalibrated()), Error);
  CHECK_THROWS_WITH_AS(host_from_json(parse_json(R"({"name": "x", "cores": 0})", "h.json"), "h.json"),
                       "h.json: cores must be above zero, not 0", Error);
}
