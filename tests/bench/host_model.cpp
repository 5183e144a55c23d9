// SPDX-License-Identifier: Apache-2.0
// The host model against published measurements: osdtune_host_model [FOLDER_OF_TABLES]
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "tests/bench/host_tables.hpp"

using namespace osdtune;

namespace {

double percent(double told, double seen) {
  return 100 * (told / seen - 1);
}

void show_held_out(const std::vector<TableSeries>& table) {
  double sum = 0, sum_p99 = 0, worst = 0, worst_p99 = 0;
  int count = 0, outside = 0;
  for (const TableSeries& series : table) {
    const HostFit fit = calibrate(series.calibration);
    for (const HostObservation& held : series.held_out) {
      const HostOutlook told = outlook(fit, held.host, held.osds, held.load);
      const double off = percent(told.iops.value, *held.iops);
      fmt::print(
          "  {:<20} {:>2.0f} threads/drive, {} OSD  {:>9.0f} IOPS, model {:>9.0f} ({:>9.0f} ..{:>9.0f}) "
          "{:+6.1f} %",
          series.name, held.host.cores / held.host.devices, held.osds.osds_per_device, *held.iops,
          told.iops.value, told.iops.low, told.iops.high, off);
      if (held.p99_us) {
        const double late = percent(told.p99_us.value, *held.p99_us);
        fmt::print("  p99 {:>6.1f} ms, model {:>6.1f} {:+6.1f} %", *held.p99_us / 1e3,
                   told.p99_us.value / 1e3, late);
        sum_p99 += std::abs(late);
        worst_p99 = std::max(worst_p99, std::abs(late));
      }
      fmt::print("  {}\n", told.at.bottleneck);
      sum += std::abs(off);
      worst = std::max(worst, std::abs(off));
      outside += !told.iops.contains(*held.iops);
      ++count;
    }
  }
  fmt::print("  IOPS: mean error {:.1f} %, worst {:.1f} %; {} of {} outside the 95 % interval\n", sum / count,
             worst, outside, count);
  if (sum_p99 > 0) fmt::print("  p99: mean error {:.1f} %, worst {:.1f} %\n", sum_p99 / count, worst_p99);
}

/// Table 30: the single OSD, all points, tells the shape of the cluster's curve; both are 1 at 8 cores.
void show_shape(const std::vector<TableSeries>& table) {
  for (int kind = 0; kind < 2; ++kind) {
    const auto all = [&](const TableSeries& series) {
      std::vector<HostObservation> out = series.calibration;
      out.insert(out.end(), series.held_out.begin(), series.held_out.end());
      return out;
    };
    const auto cluster = all(table[kind]);
    const HostFit fit = calibrate(all(table[kind + 2]));
    const auto told = [&](const HostObservation& one) {
      return predict(one.host, one.osds, fit.costs, one.load).iops;
    };
    const HostObservation& eight = cluster[3];
    fmt::print("  {}:", kind == 0 ? "reads" : "writes");
    for (const HostObservation& one : cluster)
      fmt::print(" {:.0f} cores {:+.1f} %", one.host.cores / one.host.devices,
                 percent(told(one) / told(eight), *one.iops / *eight.iops));
    fmt::print("\n");
  }
}

/// Threads per drive from which two OSDs give more than one, by interpolation; the last crossing counts.
double crossing(const std::vector<std::pair<double, double>>& lead) {
  for (std::size_t i = lead.size() - 1; i > 0; --i)
    if (lead[i - 1].second <= 0 && lead[i].second > 0)
      return lead[i - 1].first -
             lead[i - 1].second * (lead[i].first - lead[i - 1].first) / (lead[i].second - lead[i - 1].second);
  return 0;
}

void show_crossing(const std::vector<TableSeries>& table, const std::filesystem::path& folder) {
  const HostFit fit = calibrate(table[0].calibration);
  std::vector<std::pair<double, double>> seen, told;
  const auto rows = table_rows(folder / "01_osds_per_nvme_vs_cpu_threads_reef.csv");
  for (std::size_t i = 0; i < 10; ++i) {
    const double threads = std::stod(rows[i][1]);
    seen.emplace_back(threads, std::stod(rows[i + 10][2]) - std::stod(rows[i][2]));
    const auto iops = [&](double osds) {
      HostObservation one = table[0].calibration[i];
      one.osds.osds_per_device = osds;
      one.osds.pgs_per_osd = 16384.0 * 3 / 30 / osds;
      return predict(one.host, one.osds, fit.costs, one.load).iops;
    };
    told.emplace_back(threads, iops(2) - iops(1));
  }
  fmt::print("  reads: two OSDs win from {:.1f} threads per drive, model {:.1f}\n", crossing(seen),
             crossing(told));
}

/// Fact F34: one OSD, one copy, one 4 KiB write at a time.
void show_clock() {
  constexpr struct {
    double mhz, min_us, mean_us;
  } kSeen[] = {{1600, 886, 1250}, {2000, 746, 1222}, {2400, 630, 857},
               {2800, 549, 812},  {3300, 482, 755},  {4300, 437, 644}};
  for (const bool fastest : {false, true}) {
    std::vector<HostObservation> seen;
    for (const auto& row : kSeen) {
      seen.push_back({.host = {.cores = 8, .clock_ghz = row.mhz / 1e3}, .osds = {.replicas = 1}, .load = {}});
      seen.back().iops = 1e6 / (fastest ? row.min_us : row.mean_us);
    }
    const HostFit fit = calibrate(seen);
    fmt::print("  {} latency:", fastest ? "lowest" : "mean");
    for (const HostObservation& one : seen)
      fmt::print(" {:.0f} MHz {:+.1f} %", 1e3 * one.host.clock_ghz,
                 percent(predict(one.host, one.osds, fit.costs, one.load).mean_us * *one.iops, 1e6));
    fmt::print("\n");
  }
}

/// Table 20: where one thread per shard beats two.
void show_threads_per_shard(const std::filesystem::path& folder) {
  std::vector<HostObservation> seen;
  for (const auto& row : table_rows(folder / "20_threads_per_shard_single_osd.csv"))
    for (const int threads : {2, 1}) {
      const bool read = row[0] == "4k randread";
      seen.push_back(
          {.host = {.cores = 16, .device_slots = 128},
           .osds = {.threads_per_shard = 1.0 * threads, .pgs_per_osd = 256, .replicas = 1},
           .load = {.read_share = read ? 1.0 : 0, .customers = 16 * std::stod(row[1]), .clients = 16}});
      seen.back().iops = 1e3 * std::stod(row[threads == 2 ? 2 : 3]);
    }
  const HostFit fit = calibrate(seen);
  for (std::size_t i = 0; i < seen.size(); i += 2) {
    const auto told = [&](std::size_t k) {
      return predict(seen[k].host, seen[k].osds, fit.costs, seen[k].load).iops;
    };
    const double true_gain = percent(*seen[i + 1].iops, *seen[i].iops), gain = percent(told(i + 1), told(i));
    fmt::print("  {} depth {:>3.0f}: one thread instead of two {:+6.1f} %, model {:+6.1f} %{}\n",
               seen[i].load.read_share > 0 ? "read " : "write", seen[i].load.customers / 16, true_gain, gain,
               true_gain * gain > 0 ? "" : "  WRONG DIRECTION");
  }
}

/// Table 27 without any calibration: cores and copies.
void show_cores_and_copies(const std::filesystem::path& folder) {
  for (const auto& row : table_rows(folder / "27_rhcs32_cores_per_nvme_cache_replica_optane.csv")) {
    if (row[0] != "cores per NVMe" && row[0] != "replicas") continue;
    const bool cores = row[0] == "cores per NVMe";
    HostLoad load{.read_share = row[3] == "4k randread"    ? 1.0
                                : row[3] == "4k randwrite" ? 0.0
                                                           : 0.7,
                  .customers = 1000,
                  .clients = 70};
    const auto iops = [&](double value) {
      const HostShape host{.hosts = 5, .cores = 7 * (cores ? value : 6), .devices = 7, .network_gbit = 40};
      return predict(host, {.osds_per_device = 2, .replicas = cores ? 2 : value}, typical_costs(), load).iops;
    };
    fmt::print("  {} {} -> {}, {}: {} %, model {:+.1f} %\n", row[0], row[1], row[2], row[3], row[4],
               percent(iops(std::stod(row[2])), iops(std::stod(row[1]))));
  }
}

void show_time() {
  constexpr int kTimes = 20000;
  const auto begin = std::chrono::steady_clock::now();
  double sum = 0;
  for (int i = 0; i < kTimes; ++i)
    sum +=
        predict({.hosts = 5, .cores = 50.0 + i % 7, .devices = 7}, {}, typical_costs(), {.customers = 1000})
            .iops;
  const double us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / kTimes;
  fmt::print("  {:.1f} us an evaluation ({:.0f} IOPS on average)\n", us, sum / kTimes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : OSDTUNE_TABLES;
  fmt::print("Cores per OSD (table 30), calibrated on 2 to 8\n");
  show_held_out(cores_per_osd_table(folder));
  fmt::print("Shape of 60 OSDs from one OSD (table 30)\n");
  show_shape(cores_per_osd_table(folder));
  fmt::print("OSDs per NVMe drive (table 01), calibrated on one OSD, and on two at 2, 8 and 20 threads\n");
  const auto nvme = osds_per_nvme_table(folder);
  show_held_out(nvme);
  show_crossing(nvme, folder);
  fmt::print("Clock (F34), all six calibrated\n");
  show_clock();
  fmt::print("Threads per shard (table 20), all calibrated\n");
  show_threads_per_shard(folder);
  fmt::print("Cores and copies (table 27), not calibrated\n");
  show_cores_and_copies(folder);
  fmt::print("Time\n");
  show_time();
}
