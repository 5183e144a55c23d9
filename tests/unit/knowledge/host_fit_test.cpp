// SPDX-License-Identifier: Apache-2.0
// Calibration of the host model: a known truth is found again, published measurements are continued.
#include "knowledge/host_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/bench/host_tables.hpp"

using namespace osdtune;

namespace {

/// Measurements that the model itself would give with `truth`, with 1 % noise.
std::vector<HostObservation> measured(const OsdCosts& truth) {
  Random random(3);
  std::vector<HostObservation> out;
  for (const double cores : {2, 4, 8, 16})
    for (const double read_share : {0.0, 1.0})
      for (const double customers : {1, 16, 256}) {
        HostObservation one{.host = {.hosts = 3, .cores = cores},
                            .load = {.read_share = read_share, .customers = customers}};
        const HostPrediction told = predict(one.host, one.osds, truth, one.load);
        one.iops = told.iops * std::exp(0.01 * random.normal());
        one.p99_us = told.p99_us;
        one.cores_used = told.cores_used;
        out.push_back(one);
      }
  return out;
}

}  // namespace

TEST_CASE("host fit: a known truth is found again, and what the data cannot tell stays at the prior") {
  OsdCosts truth = typical_costs();
  truth.write_us *= 2;
  truth.commit_us *= 3;
  const HostFit fit = calibrate(measured(truth));
  CHECK(fit.costs.write_us == doctest::Approx(truth.write_us).epsilon(0.1));
  CHECK(fit.costs.commit_us == doctest::Approx(truth.commit_us).epsilon(0.1));
  for (std::size_t i = 0; i < fit.fitted.size(); ++i) {
    const FittedCost& cost = fit.fitted[i];
    CAPTURE(cost.name);
    if (cost.name == "write_us" || cost.name == "commit_us") CHECK(cost.told_by_data);
    CHECK(cost.value.contains(truth.*host_costs_prior()[i].cost));
  }
  const HostFit little = calibrate({measured(truth).front()});
  CHECK(std::none_of(little.fitted.begin(), little.fitted.end(),
                     [](const FittedCost& cost) { return cost.name == "read_us" && cost.told_by_data; }));
}

TEST_CASE("host fit: a measured stage tells the cost of a commit that throughput alone leaves open") {
  OsdCosts truth = typical_costs();
  truth.commit_us *= 4;
  HostObservation lone{.host = {.hosts = 3, .cores = 16}, .load = {.customers = 4}};
  const HostPrediction told = predict(lone.host, lone.osds, truth, lone.load);
  lone.iops = told.iops;
  const auto error = [&](const HostFit& fit) {
    return std::abs(std::log(fit.costs.commit_us / truth.commit_us));
  };
  const HostFit without = calibrate({lone, lone, lone, lone});
  lone.kv_us = told.kv_us;
  CHECK(error(calibrate({lone, lone, lone, lone})) < 0.5 * error(without));
}

TEST_CASE("host fit: the order of the observations does not matter") {
  std::vector<HostObservation> observations = measured(typical_costs());
  const HostFit one = calibrate(observations);
  std::reverse(observations.begin(), observations.end());
  const HostFit other = calibrate(observations);
  for (const CostPrior& prior : host_costs_prior())
    CHECK(other.costs.*prior.cost == doctest::Approx(one.costs.*prior.cost).epsilon(0.01));
}

TEST_CASE("host fit: intervals widen with the distance from what was measured") {
  const HostFit fit = calibrate(measured(typical_costs()));
  const auto width = [&](double cores) {
    const HostOutlook seen = outlook(fit, {.hosts = 3, .cores = cores}, {}, {.customers = 256});
    return seen.iops.high / seen.iops.low;
  };
  CHECK(outlook(fit, {.hosts = 3, .cores = 8}, {}, {.customers = 256}).doublings == 0);
  CHECK(outlook(fit, {.hosts = 3, .cores = 64}, {}, {.customers = 256}).doublings == doctest::Approx(2));
  CHECK(width(8) < width(32));
  CHECK(width(32) < width(128));
}

TEST_CASE("host fit: 2 to 8 cores per OSD tell 10 to 16 on a published cluster") {
  double error = 0;
  int count = 0, outside = 0;
  for (const TableSeries& series : cores_per_osd_table(OSDTUNE_SOURCE_DIR "/tests/bench/tables")) {
    const HostFit fit = calibrate(series.calibration);
    for (const HostObservation& held : series.held_out) {
      const HostOutlook told = outlook(fit, held.host, held.osds, held.load);
      error += std::abs(told.iops.value / *held.iops - 1);
      outside += !told.iops.contains(*held.iops);
      ++count;
    }
  }
  CHECK(count == 16);
  CHECK(error / count <= 0.10);
  CHECK(outside <= 3);
}

TEST_CASE("host fit: nothing and nonsense are refused") {
  CHECK_THROWS_AS(calibrate({}), Error);
  HostObservation one{.host = {.hosts = 3, .cores = 8}};
  one.iops = 0;
  CHECK_THROWS_AS(calibrate({one}), Error);
}
