// SPDX-License-Identifier: Apache-2.0
// What a host of OSDs can do: a closed queueing network over threads, cores, drives and network. Pure
// functions.
#pragma once

#include <string>
#include <vector>

namespace osdtune {

/// Hosts of one kind and their drives. Only hardware; what Ceph makes of it is in OsdShape and OsdCosts.
struct HostShape {
  double hosts = 1;
  double cores = 0;      ///< hardware threads of one host that its OSDs may use
  double clock_ghz = 0;  ///< 0: that of the costs
  double devices = 1;    ///< drives of one host
  double network_gbit = 25;
  double device_read_us = 90;   ///< one random 4 KiB read, in the drive
  double device_write_us = 20;  ///< one synced write, in the drive
  double device_slots = 64;     ///< commands that a drive serves at once
  double device_mb_s = 2000;    ///< sequential bandwidth of one drive
  double idle_exit_us = 0;      ///< wake-up time of the deepest sleep state that cores enter
};

/// Settings of the OSDs.
struct OsdShape {
  double osds_per_device = 1;
  double shards = 8;
  double threads_per_shard = 2;
  double messenger_threads = 3;
  double pgs_per_osd = 100;
  double replicas = 3;
  double cpu_factor = 1;  ///< processor time of every operation, times this (debug levels, encryption)
};

/// What clients ask for.
struct HostLoad {
  double read_share = 0;  ///< of the operations, 0..1
  double block_kib = 4;
  double customers = 1;  ///< operations in flight: clients x depth
  double clients = 1;    ///< processes with connections of their own
};

/// Times of one operation, in microseconds; processor times at `clock_ghz`. What calibration fits.
/// Defaults: see host_costs_prior().
struct OsdCosts {
  double clock_ghz = 0;
  double messenger_us = 0;  ///< processor: receive a request and send its answer
  double kib_us = 0;        ///< processor, messenger: sums and copies of a KiB
  double read_us = 0;       ///< processor, op thread: a read
  double write_us = 0;      ///< processor, op thread: one copy of a write
  double kv_us = 0;         ///< processor, kv_sync thread: one copy of a write, within a batch
  double commit_us = 0;     ///< no processor: what a batch waits for its commit
  double wake_us = 0;       ///< processor, messenger: a wake-up for what waits on one connection
  double client_us = 0;     ///< no processor of the OSDs: client library and network
  double contention = 0;  ///< wait for a shard's lock over service, times the square of how busy threads are
  double switching = 0;   ///< processor time grows by this factor per doubling of threads over cores
  double sharing = 1;     ///< threads of one OSD find cores as if it had cores^sharing of them
  double tail = 0;        ///< p99 over mean of what is queued
  double stall_us = 0;    ///< a pause of one OSD that one operation in a hundred meets
};

/// The clock at which costs are stated, unless measured at another.
constexpr double kCostsClockGhz = 3.0;

/// A place where operations wait and are served.
struct Station {
  std::string name;         ///< processor, messenger, op threads, kv_sync, drive, drive bandwidth, network
  double utilisation = 0;   ///< 0..1
  double residence_us = 0;  ///< of a client operation on its longest path, service included; processor: the
                            ///< wait for a core, which is part of the others, too
};

struct HostPrediction {
  double iops = 0;  ///< of all clients
  double mean_us = 0;
  double p99_us = 0;             ///< mean x tail for what queues, plus the stall: an approximation
  double kv_us = 0;              ///< a write's wait for kv_sync, its batch and the commit; 0 without writes
  double cores_used = 0;         ///< of one host
  double network_gbit_used = 0;  ///< of one host, its busier direction
  double threads = 0;            ///< worker, messenger and kv threads of one host
  std::vector<Station> stations;
  std::string bottleneck;  ///< the station with the highest utilisation
};

/// Solves the network. Schweitzer's approximate mean value analysis (1979) in its closed form: at throughput
/// X a queueing station of demand d holds each customer for d / (1 - (N-1)/N X d), so N = X (Z + sum of
/// these) is one equation in X, solved by bisection. Stations with m servers after Seidmann (1987). Threads
/// share the cores: their processor time is stretched by the wait of an M/M/c queue (Sakasegawa 1977), c
/// being one OSD's share of the cores. Copies of a write run side by side; the slowest of them counts by a
/// harmonic number. Needs cores, devices, OSDs, replicas and customers above zero and at most as many
/// replicas as OSDs; otherwise throws Error{kInput}.
HostPrediction predict(const HostShape& host, const OsdShape& osds, const OsdCosts& costs,
                       const HostLoad& load);

}  // namespace osdtune
