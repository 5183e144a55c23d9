// SPDX-License-Identifier: Apache-2.0
// One equation in the throughput: customers = throughput x (delays + residence at every station).
#include "knowledge/host_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/error.hpp"

namespace osdtune {

namespace {

/// 1 + 1/2 + ... + 1/n, for n that need not be whole.
double harmonic(double n) {
  double sum = 0;
  for (; n >= 1; --n) sum += 1 / n;
  return sum + n;  // H is nearly linear below one
}

/// How much more than an even share the busiest of `places` gets of `items` spread at random.
double unevenness(double places, double items) {
  return places > 1 ? 1 + std::sqrt(std::log(places) / std::max(1.0, items)) : 1;
}

/// Wait over service in an M/M/c queue (Sakasegawa 1977), for any c above zero.
double processor_wait(double utilisation, double cores) {
  const double exponent = std::max(0.0, std::sqrt(2 * (cores + 1)) - 1);
  return std::pow(utilisation, exponent) / (cores * std::max(1e-9, 1 - utilisation));
}

/// A station as one OSD loads it. Times in microseconds per client operation of that OSD.
struct Place {
  const char* name;
  double servers;
  double demand;          ///< service of all visits of a client operation, all copies together
  double visit;           ///< service of one visit
  double path;            ///< visits on the longest path of a client operation
  double uneven = 1;      ///< load of the busiest such station over the mean
  bool processor = true;  ///< its service is processor time
  bool crowded = false;   ///< threads of one shard hinder each other there
};

/// The network seen from one OSD; all OSDs are alike.
class Network {
 public:
  Network(const HostShape& host, const OsdShape& osds, const OsdCosts& costs, const HostLoad& load);

  /// Puts the network at `rate` operations per microsecond of one OSD; false where no station could serve
  /// that.
  bool at(double rate);

  double osds() const { return hosts_osds_.first * hosts_osds_.second; }
  /// Time of a client operation at the rate of the last `at`.
  double path_us() const { return delay_ + residence_; }
  HostPrediction prediction(double rate);

 private:
  void add_threads(const OsdShape& osds, const OsdCosts& costs, const HostLoad& load);
  void add_hardware(const HostShape& host, const OsdShape& osds, const HostLoad& load);
  double utilisation(const Place& place) const {
    return rate_ * place.demand * slowdown(place) / place.servers;
  }
  double slowdown(const Place& place) const {
    return (place.processor ? stretch_ : 1) * (place.crowded ? crowd_ : 1);
  }
  double residence(const Place& place) const;

  std::pair<double, double> hosts_osds_;  ///< hosts, and OSDs of one
  OsdShape shape_;
  OsdCosts costs_;
  double customers_, network_gbit_;
  double cores_;                    ///< of one OSD: its share
  double threads_;                  ///< of one OSD
  double cpu_;                      ///< processor time over that of `costs_`
  double reads_, writes_, copies_;  ///< per client operation; copies: the OSDs that work on it
  double slowest_;  ///< time of the slowest of the other copies over that of one; 0 without other copies
  double others_;   ///< (N - 1) / N: what a customer finds before itself
  double uneven_;
  double delay_ = 0;
  double worker_us_ = 0;  ///< work of one op thread per client operation
  std::vector<Place> places_;

  double rate_ = 0, crowd_ = 1, stretch_ = 1, processor_ = 0, processor_us_ = 0, residence_ = 0;
};

Network::Network(const HostShape& host, const OsdShape& osds, const OsdCosts& costs, const HostLoad& load)
    : hosts_osds_(host.hosts, host.devices * osds.osds_per_device),
      shape_(osds),
      costs_(costs),
      customers_(load.customers),
      network_gbit_(host.network_gbit) {
  cores_ = host.cores / hosts_osds_.second;
  threads_ = osds.shards * osds.threads_per_shard + osds.messenger_threads + 1;
  const double clock = host.clock_ghz > 0 ? costs.clock_ghz / host.clock_ghz : 1;
  cpu_ = clock * osds.cpu_factor * (1 + costs.switching * std::log2(1 + threads_ / cores_));
  reads_ = load.read_share;
  writes_ = 1 - load.read_share;
  copies_ = reads_ + writes_ * osds.replicas;
  slowest_ = osds.replicas > 1 ? 0.5 * (1 + harmonic(osds.replicas - 1)) : 0;
  others_ = (load.customers - 1) / load.customers;
  uneven_ = unevenness(this->osds(), osds.pgs_per_osd);
  const double hand_overs = 2 + writes_ * (osds.replicas > 1 ? 4 : 2);
  delay_ = costs.client_us + writes_ * costs.commit_us +
           hand_overs * host.idle_exit_us / (1 + load.customers / this->osds());
  add_threads(osds, costs, load);
  add_hardware(host, osds, load);
}

void Network::add_threads(const OsdShape& osds, const OsdCosts& costs, const HostLoad& load) {
  const double peers = std::max(1.0, this->osds() - 1);
  const double waiting_client = std::max(1.0, load.customers / (load.clients * this->osds()));
  const double waiting_peer = std::max(1.0, load.customers * (osds.replicas - 1) / (this->osds() * peers));
  const double copying = writes_ * 2 * (osds.replicas - 1);  // both ends of each copy
  const double messages = cpu_ * ((costs.messenger_us + costs.kib_us * load.block_kib) * (1 + copying) +
                                  costs.wake_us * (1 / waiting_client + copying / waiting_peer));
  const double work = cpu_ * (reads_ * costs.read_us + writes_ * osds.replicas * costs.write_us);
  const double workers = osds.shards * osds.threads_per_shard;
  worker_us_ = work / workers;
  places_.push_back({.name = "messenger",
                     .servers = osds.messenger_threads,
                     .demand = messages,
                     .visit = messages / (1 + copying),
                     .path = 1 + 2 * writes_ * slowest_,
                     .uneven = uneven_});
  places_.push_back({.name = "op threads",
                     .servers = workers,
                     .demand = work,
                     .visit = work / copies_,
                     .path = 1 + writes_ * slowest_,
                     .uneven = uneven_ * unevenness(osds.shards, osds.pgs_per_osd),
                     .crowded = true});
  places_.push_back({.name = "kv_sync",
                     .servers = 1,
                     .demand = cpu_ * writes_ * osds.replicas * costs.kv_us,
                     .visit = cpu_ * costs.kv_us,
                     .path = writes_ * std::max(1.0, slowest_),
                     .uneven = uneven_});
}

void Network::add_hardware(const HostShape& host, const OsdShape& osds, const HostLoad& load) {
  const double bytes = 1024 * load.block_kib;
  const double drive = reads_ * host.device_read_us + writes_ * osds.replicas * host.device_write_us;
  const double transfer = bytes / host.device_mb_s;  // MB/s are bytes per microsecond
  const double wire = 8 * bytes / (1e3 * host.network_gbit);
  const double busier = std::max(writes_ * osds.replicas, reads_ + writes_ * (osds.replicas - 1));  // in, out
  places_.push_back({.name = "drive",
                     .servers = host.device_slots / osds.osds_per_device,
                     .demand = drive,
                     .visit = drive / copies_,
                     .path = 1,
                     .uneven = uneven_,
                     .processor = false});
  places_.push_back({.name = "drive bandwidth",
                     .servers = 1 / osds.osds_per_device,
                     .demand = copies_ * transfer,
                     .visit = transfer,
                     .path = 1,
                     .uneven = uneven_,
                     .processor = false});
  places_.push_back({.name = "network",
                     .servers = 1 / hosts_osds_.second,
                     .demand = wire * busier,
                     .visit = wire,
                     .path = 1 + writes_ * (osds.replicas > 1),
                     .processor = false});
}

double Network::residence(const Place& place) const {
  const double visit = place.visit * slowdown(place);
  const double queue = visit / std::max(1.0, place.servers);
  return place.path * (queue / (1 - others_ * place.uneven * utilisation(place)) + visit - queue);
}

bool Network::at(double rate) {
  rate_ = rate;
  const double busy = std::min(1.0, rate * worker_us_);
  crowd_ = 1 + costs_.contention * (shape_.threads_per_shard - 1) * busy * busy;  // holder and waiter
  processor_us_ = 0;
  for (const Place& place : places_)
    if (place.processor) processor_us_ += place.demand;
  processor_ = rate * processor_us_ / cores_;
  if (processor_ >= 1) return false;
  stretch_ = 1 + others_ * processor_wait(processor_, std::pow(cores_, costs_.sharing));
  residence_ = 0;
  for (const Place& place : places_) {
    if (place.uneven * utilisation(place) >= 1) return false;
    residence_ += residence(place);
  }
  return true;
}

HostPrediction Network::prediction(double rate) {
  at(rate);
  HostPrediction out;
  out.iops = rate * osds() * 1e6;
  out.mean_us = customers_ / (rate * osds());
  out.p99_us =
      delay_ + costs_.tail * std::max(0.0, out.mean_us - delay_) + costs_.stall_us / shape_.osds_per_device;
  out.cores_used = rate * processor_us_ * hosts_osds_.second;
  out.threads = threads_ * hosts_osds_.second;
  out.stations.push_back({"processor", processor_, (stretch_ - 1) * processor_us_});
  for (const Place& place : places_) {
    if (place.path > 0 && std::string_view(place.name) == "kv_sync")
      out.kv_us = residence(place) / place.path + costs_.commit_us;
    out.stations.push_back({place.name, utilisation(place), residence(place)});
  }
  out.bottleneck =
      std::max_element(out.stations.begin(), out.stations.end(), [](const Station& a, const Station& b) {
        return a.utilisation < b.utilisation;
      })->name;
  out.network_gbit_used = out.stations.back().utilisation * network_gbit_;
  return out;
}

void check(const HostShape& host, const OsdShape& osds, const HostLoad& load) {
  for (const auto& [name, value] : {std::pair{"hosts", host.hosts},
                                    {"cores", host.cores},
                                    {"devices", host.devices},
                                    {"OSDs per device", osds.osds_per_device},
                                    {"shards", osds.shards},
                                    {"threads per shard", osds.threads_per_shard},
                                    {"messenger threads", osds.messenger_threads},
                                    {"replicas", osds.replicas},
                                    {"clients", load.clients},
                                    {"operations in flight", load.customers}})
    if (!(value > 0) || !std::isfinite(value))
      throw Error(ErrorKind::kInput, fmt::format("host model: {} must be above zero, not {}", name, value));
  const double count = host.hosts * host.devices * osds.osds_per_device;
  if (osds.replicas > count)
    throw Error(ErrorKind::kInput,
                fmt::format("host model: {} copies need as many OSDs, not {}", osds.replicas, count));
}

}  // namespace

HostPrediction predict(const HostShape& host, const OsdShape& osds, const OsdCosts& costs,
                       const HostLoad& load) {
  check(host, osds, load);
  Network network(host, osds, costs, load);
  const auto too_fast = [&](double rate) {
    if (!network.at(rate)) return true;
    return rate * network.osds() * network.path_us() > load.customers;
  };
  double low = 1e-10, high = 10;  // operations of one OSD per microsecond
  for (int step = 0; step < 45; ++step) {
    const double middle = std::sqrt(low * high);
    (too_fast(middle) ? high : low) = middle;
  }
  return network.prediction(low);
}

}  // namespace osdtune
