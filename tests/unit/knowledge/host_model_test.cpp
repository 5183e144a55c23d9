// SPDX-License-Identifier: Apache-2.0
// The model of an OSD host against exact mean value analysis, its limits, and what must hold everywhere.
#include "knowledge/host_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "knowledge/host_fit.hpp"

using namespace osdtune;

namespace {

/// Exact mean value analysis (Reiser and Lavenberg 1980) of single-server stations and a delay; operations
/// per microsecond with `customers` in the network.
double exact_rate(const std::vector<double>& demands, double delay, int customers) {
  std::vector<double> queued(demands.size(), 0.0);
  double rate = 0;
  for (int n = 1; n <= customers; ++n) {
    double path = delay;
    for (std::size_t k = 0; k < demands.size(); ++k) path += demands[k] * (1 + queued[k]);
    rate = n / path;
    for (std::size_t k = 0; k < demands.size(); ++k) queued[k] = rate * demands[k] * (1 + queued[k]);
  }
  return rate;
}

/// One OSD with one thread of each kind and as many cores as it could want.
struct Tandem {
  HostShape host{.cores = 1e6, .device_read_us = 0, .device_write_us = 0, .device_mb_s = 1e9};
  OsdShape osds{.shards = 1, .threads_per_shard = 1, .messenger_threads = 1, .replicas = 1};
  OsdCosts costs = typical_costs();
  HostLoad load{.read_share = 0};
  Tandem() {
    host.network_gbit = 1e6;
    costs.switching = costs.contention = costs.wake_us = costs.kib_us = 0;
  }
};

}  // namespace

TEST_CASE("host model: near the exact solution of small networks, and exact with one customer") {
  Tandem tandem;
  const OsdCosts& c = tandem.costs;
  for (const int customers : {1, 2, 4, 8, 32}) {
    tandem.load.customers = tandem.load.clients = customers;
    const double exact =
        exact_rate({c.messenger_us, c.write_us, c.kv_us}, c.client_us + c.commit_us, customers);
    const double solved = predict(tandem.host, tandem.osds, c, tandem.load).iops / 1e6;
    CAPTURE(customers);
    CHECK(solved == doctest::Approx(exact).epsilon(customers == 1 ? 1e-3 : 0.06));
  }
}

TEST_CASE("host model: the station that dominates sets the limit") {
  Tandem tandem;
  tandem.load.customers = 1000;
  SUBCASE("kv_sync") {
    tandem.costs.kv_us = 500;
    CHECK(predict(tandem.host, tandem.osds, tandem.costs, tandem.load).iops ==
          doctest::Approx(1e6 / 500).epsilon(0.01));
    CHECK(predict(tandem.host, tandem.osds, tandem.costs, tandem.load).bottleneck == "kv_sync");
  }
  SUBCASE("messenger, which more threads relieve") {
    tandem.costs.messenger_us = 500;
    tandem.osds.messenger_threads = 3;
    CHECK(predict(tandem.host, tandem.osds, tandem.costs, tandem.load).iops ==
          doctest::Approx(3e6 / 500).epsilon(0.01));
  }
  SUBCASE("a hard disk") {
    tandem.host.device_write_us = 10000;
    tandem.host.device_slots = 1;
    CHECK(predict(tandem.host, tandem.osds, tandem.costs, tandem.load).iops ==
          doctest::Approx(100).epsilon(0.01));
    CHECK(predict(tandem.host, tandem.osds, tandem.costs, tandem.load).bottleneck == "drive");
  }
  SUBCASE("cores") {
    tandem.osds = {.shards = 64, .messenger_threads = 64, .replicas = 1};
    tandem.host.cores = 2;
    tandem.load.read_share = 1;
    const double demand = tandem.costs.messenger_us + tandem.costs.read_us;
    CHECK(predict(tandem.host, tandem.osds, tandem.costs, tandem.load).iops ==
          doctest::Approx(2e6 / demand).epsilon(0.06));
    CHECK(predict(tandem.host, tandem.osds, tandem.costs, tandem.load).bottleneck == "processor");
  }
  SUBCASE("the network, for large blocks") {
    tandem.load = {.read_share = 1, .block_kib = 4096, .customers = 100};
    tandem.host.network_gbit = 10;
    const HostPrediction told = predict(tandem.host, tandem.osds, tandem.costs, tandem.load);
    CHECK(told.bottleneck == "network");
    CHECK(told.network_gbit_used == doctest::Approx(10).epsilon(0.03));
  }
}

TEST_CASE("host model: what holds for every host, setting and load") {
  Random random(7);
  const auto between = [&](double low, double high) { return low * std::pow(high / low, random.uniform()); };
  for (int i = 0; i < 400; ++i) {
    HostShape host{
        .hosts = std::floor(between(3, 20)), .cores = between(1, 200), .devices = std::floor(between(1, 24))};
    const OsdShape osds{.osds_per_device = std::floor(between(1, 5)),
                        .shards = std::floor(between(1, 32)),
                        .threads_per_shard = std::floor(between(1, 5)),
                        .messenger_threads = std::floor(between(1, 12)),
                        .replicas = std::floor(between(1, 4))};
    OsdCosts costs = typical_costs();
    for (const CostPrior& prior : host_costs_prior())
      costs.*prior.cost *= std::exp(prior.sd * random.normal());
    const HostLoad load{.read_share = random.uniform(), .customers = between(1, 1e4)};
    const HostPrediction told = predict(host, osds, costs, load);
    CAPTURE(i);
    CHECK(told.iops * told.mean_us * 1e-6 == doctest::Approx(load.customers));
    CHECK(told.p99_us > 0);
    CHECK(told.cores_used <= host.cores);
    for (const Station& station : told.stations) {
      CHECK(station.utilisation >= 0);
      CHECK(station.utilisation <= 1);
    }
    host.cores *= 1.3;
    CHECK(predict(host, osds, costs, load).iops >= told.iops * (1 - 1e-9));
  }
}

TEST_CASE("host model: a lone customer's latency follows the clock, a crowd's throughput does more so") {
  Tandem tandem;
  tandem.load.customers = 1;
  tandem.host.clock_ghz = kCostsClockGhz;
  const double slow = predict(tandem.host, tandem.osds, tandem.costs, tandem.load).mean_us;
  tandem.host.clock_ghz = 2 * kCostsClockGhz;
  const double fast = predict(tandem.host, tandem.osds, tandem.costs, tandem.load).mean_us;
  const OsdCosts& c = tandem.costs;
  CHECK(slow - fast == doctest::Approx((c.messenger_us + c.write_us + c.kv_us) / 2).epsilon(0.01));
}

TEST_CASE("host model: sleeping cores delay a lone customer, not a crowd") {
  HostShape host{.hosts = 3, .cores = 16};
  const auto slower = [&](double customers) {
    host.idle_exit_us = 0;
    const double awake = predict(host, {}, typical_costs(), {.customers = customers}).mean_us;
    host.idle_exit_us = 200;
    return predict(host, {}, typical_costs(), {.customers = customers}).mean_us / awake;
  };
  CHECK(slower(1) > 1.5);
  CHECK(slower(1000) < 1.05);
}

TEST_CASE("host model: impossible hosts are refused by name") {
  CHECK_THROWS_WITH_AS(predict({}, {}, typical_costs(), {}), "host model: cores must be above zero, not 0",
                       Error);
  CHECK_THROWS_WITH_AS(predict({.cores = 8}, {}, typical_costs(), {}),
                       "host model: 3 copies need as many OSDs, not 1", Error);
}
