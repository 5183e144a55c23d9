// SPDX-License-Identifier: Apache-2.0
// Searching the number of hosts, and wording the result.
#include "advisor/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"

namespace osdtune {

namespace {

constexpr double kMostHosts = 1000;
constexpr double kMostInFlight = 1e7;
constexpr double kMemoryTargetGib = 4;  // Ceph's default per OSD
constexpr double kFillable = 0.8;       // a cluster fuller than this cannot heal (nearfull 0.85)

HostLoad load_of(const Demand& demand, double customers) {
  return {.read_share = demand.read_share,
          .block_kib = demand.block_kib,
          .customers = customers,
          .clients = std::max(1.0, customers / 32)};
}

enum class Count { kWhole, kAny };

/// The smallest count from `low` on for which `enough` holds, if there is one up to `most`; beyond it,
/// `enough` stays true. `kAny`: within a hundredth.
std::optional<double> least(double low, double most, Count count, const std::function<bool(double)>& enough) {
  if (enough(low)) return low;
  double high = low;
  do {
    low = high;
    high *= 2;
    if (high > most) return std::nullopt;
  } while (!enough(high));
  while (high - low > (count == Count::kWhole ? 1 : 0.01 * low)) {
    const double middle = 0.5 * (low + high);
    const double tried = count == Count::kWhole ? std::floor(middle) : middle;
    (enough(tried) ? high : low) = tried;
  }
  return high;
}

/// What has to hold: the expected values, or their intervals.
enum class Trust { kExpected, kSure };

/// Operations in flight at which `hosts` give the demand's IOPS; none where no number does, or p99 breaks.
std::optional<double> in_flight(const Demand& demand, const HostShape& host, const OsdShape& osds,
                                const HostFit& fit, Trust trust) {
  const auto customers = least(1, kMostInFlight, Count::kAny, [&](double count) {
    if (trust == Trust::kExpected)
      return predict(host, osds, fit.costs, load_of(demand, count)).iops >= demand.iops;
    return outlook(fit, host, osds, load_of(demand, count)).iops.low >= demand.iops;
  });
  if (!customers || !demand.p99_us) return customers;
  const HostOutlook late = outlook(fit, host, osds, load_of(demand, *customers));
  const double p99 = trust == Trust::kExpected ? late.p99_us.value : late.p99_us.high;
  return p99 <= *demand.p99_us ? customers : std::nullopt;
}

std::optional<double> hosts_needed(const Demand& demand, HostShape host, const OsdShape& osds,
                                   const HostFit& fit, Trust trust) {
  return least(std::ceil(osds.replicas), kMostHosts, Count::kWhole, [&](double count) {
    host.hosts = count;
    return in_flight(demand, host, osds, fit, trust).has_value();
  });
}

Sizing sizing(const Demand& demand, const HostFile& host, const HostFit& fit, double osds_per_device) {
  OsdShape osds = host.osds;
  osds.pgs_per_osd *= osds.osds_per_device / osds_per_device;
  osds.osds_per_device = osds_per_device;
  Sizing out{.osds_per_device = osds_per_device};
  out.hosts = hosts_needed(demand, host.shape, osds, fit, Trust::kExpected);
  out.hosts_sure = hosts_needed(demand, host.shape, osds, fit, Trust::kSure);
  if (!out.hosts) return out;
  HostShape shape = host.shape;
  shape.hosts = *out.hosts;
  out.customers = *in_flight(demand, shape, osds, fit, Trust::kExpected);
  out.outlook = outlook(fit, shape, osds, load_of(demand, out.customers));
  return out;
}

std::string layout_text(const Sizing& sizing, const SizeAnswer& answer) {
  const std::string layout =
      fmt::format("{:g} OSD{} per drive", sizing.osds_per_device, sizing.osds_per_device == 1 ? "" : "s");
  if (!sizing.hosts)
    return fmt::format("{}: not with {:g} hosts{}\n", layout, kMostHosts,
                       answer.demand.p99_us ? "; the latency is out of reach" : "");
  const HostFile& host = answer.host;
  const HostPrediction& at = sizing.outlook.at;
  const double hosts = *sizing.hosts, drives = hosts * host.shape.devices;
  std::string out = fmt::format("{}: {:g} hosts expected, {}\n", layout, hosts,
                                sizing.hosts_sure ? fmt::format("{:g} to be 95 % sure", *sizing.hosts_sure)
                                                  : std::string("with no number of them 95 % sure"));
  out +=
      fmt::format("  at {:.0f} operations in flight: {} IOPS ({} .. {}), mean {} ms, p99 {} ms ({} .. {})\n",
                  sizing.customers, format_number(at.iops), format_number(sizing.outlook.iops.low),
                  format_number(sizing.outlook.iops.high), format_number(at.mean_us / 1e3),
                  format_number(at.p99_us / 1e3), format_number(sizing.outlook.p99_us.low / 1e3),
                  format_number(sizing.outlook.p99_us.high / 1e3));
  out += fmt::format(
      "  per host: {:.1f} of {:g} cores, {:.1f} of {:g} Gbit/s, {:.0f} threads, {:g} OSDs with {:g} of {:g} "
      "GiB memory; limited by: {}\n",
      at.cores_used, host.shape.cores, at.network_gbit_used, host.shape.network_gbit, at.threads,
      host.shape.devices * sizing.osds_per_device,
      host.shape.devices * sizing.osds_per_device * kMemoryTargetGib, host.memory_gib, at.bottleneck);
  const double usable = drives * host.device_tb / host.osds.replicas * kFillable;
  out += fmt::format("  capacity: {:.1f} TB usable of {:.1f} TB raw ({:g} copies, filled to {:.0f} %)\n",
                     usable, drives * host.device_tb, host.osds.replicas, 100 * kFillable);
  if (host.host_price) {
    const double price = hosts * (*host.host_price + host.shape.devices * *host.device_price);
    out += fmt::format("  price: {:.0f} {}, {:.3f} per IOPS, {:.0f} per usable TB\n", price, host.currency,
                       price / answer.demand.iops, price / usable);
  }
  return out;
}

}  // namespace

SizeAnswer size(const Demand& demand, const HostFile& host, const HostFit& fit) {
  if (!(demand.iops > 0))
    throw Error(ErrorKind::kInput, fmt::format("--iops must be above zero, not {}", demand.iops));
  if (demand.p99_us && !(*demand.p99_us > 0)) throw Error(ErrorKind::kInput, "--p99 must be above zero");
  SizeAnswer answer{.demand = demand, .host = host, .calibrated = !fit.observations.empty()};
  for (const double osds_per_device : std::set<double>{1, 2, host.osds.osds_per_device})
    answer.sizings.push_back(sizing(demand, host, fit, osds_per_device));
  return answer;
}

std::string to_text(const SizeAnswer& answer) {
  const Demand& demand = answer.demand;
  std::string out =
      fmt::format("{} IOPS of {} KiB, {:.0f} % reads{}, on: {}\n", format_number(demand.iops),
                  format_number(demand.block_kib), 100 * demand.read_share,
                  demand.p99_us ? fmt::format(", p99 below {} ms", format_number(*demand.p99_us / 1e3)) : "",
                  answer.host.name);
  if (!answer.calibrated)
    out +=
        "Note: no study given: costs of an operation are what is usual, and the intervals are wide; --study "
        "FILE narrows them.\n";
  out += "\n";
  for (const Sizing& sizing : answer.sizings) out += layout_text(sizing, answer);
  out += fmt::format(
      "\nAssumed: random access spread evenly, {:g} copies, {:g} PGs per OSD, {:g} x {:g} op threads and "
      "{:g} messenger threads per OSD, {:g} GiB memory per OSD, all hosts up, no "
      "recovery. Two OSDs per drive fail together with it.\n",
      answer.host.osds.replicas, answer.host.osds.pgs_per_osd, answer.host.osds.shards,
      answer.host.osds.threads_per_shard, answer.host.osds.messenger_threads, kMemoryTargetGib);
  return out;
}

Json to_json(const SizeAnswer& answer) {
  Json sizings = Json::array();
  for (const Sizing& sizing : answer.sizings) {
    Json one = {{"osds_per_device", sizing.osds_per_device}};
    one["hosts"] = sizing.hosts ? Json(*sizing.hosts) : Json();
    one["hosts_sure"] = sizing.hosts_sure ? Json(*sizing.hosts_sure) : Json();
    if (sizing.hosts) {
      const HostPrediction& at = sizing.outlook.at;
      one.update({{"in_flight", sizing.customers},
                  {"iops", at.iops},
                  {"iops_interval", {sizing.outlook.iops.low, sizing.outlook.iops.high}},
                  {"p99_ms", at.p99_us / 1e3},
                  {"p99_ms_interval", {sizing.outlook.p99_us.low / 1e3, sizing.outlook.p99_us.high / 1e3}},
                  {"cores_used", at.cores_used},
                  {"network_gbit_used", at.network_gbit_used},
                  {"bottleneck", at.bottleneck}});
    }
    sizings.push_back(std::move(one));
  }
  return {{"host", answer.host.name}, {"calibrated", answer.calibrated}, {"sizings", sizings}};
}

}  // namespace osdtune
