// SPDX-License-Identifier: Apache-2.0
// Published measurements of Ceph clusters as observations of the host model; sources stand in the tables. Not
// published and assumed: clients and PGs per OSD of table 30, a drive that serves 128 commands at once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/json_file.hpp"
#include "knowledge/host_fit.hpp"

namespace osdtune {

/// Measurements to calibrate on, and others of the same cluster to predict.
struct TableSeries {
  std::string name;
  std::vector<HostObservation> calibration, held_out;
};

/// Cells of the lines that are neither comments nor the heading.
inline std::vector<std::vector<std::string>> table_rows(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> rows;
  const std::string text = load_text(path);
  bool heading = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || line[0] == '#') continue;
    if (std::exchange(heading, false)) continue;
    rows.emplace_back();
    for (std::size_t cell = 0; cell <= line.size();) {
      const std::size_t comma = std::min(line.find(',', cell), line.size());
      rows.back().push_back(line.substr(cell, comma - cell));
      cell = comma + 1;
    }
  }
  return rows;
}

/// Table 30: cores per OSD, Pacific; calibrated up to 8.
inline std::vector<TableSeries> cores_per_osd_table(const std::filesystem::path& tables) {
  std::vector<TableSeries> out;
  const auto rows = table_rows(tables / "30_cpu_cores_per_osd_pacific.csv");
  for (int column = 0; column < 4; ++column) {
    const bool single = column >= 2;
    const bool read = column % 2 == 0;
    TableSeries series{
        std::string(single ? "1 OSD, " : "60 OSDs, ") + (read ? "randread" : "randwrite"), {}, {}};
    for (const auto& row : rows) {
      const double cores = std::stod(row[0]);
      HostObservation seen;
      seen.host = {.hosts = single ? 1.0 : 10,
                   .cores = cores * (single ? 1 : 6),
                   .devices = single ? 1.0 : 6,
                   .network_gbit = 100,
                   .device_slots = 128};
      seen.osds = {.pgs_per_osd = 256, .replicas = single ? 1.0 : 3};
      seen.load = {
          .read_share = read ? 1.0 : 0, .customers = 128 * (single ? 1.0 : 60), .clients = single ? 1.0 : 60};
      seen.iops = std::stod(row[1 + column]);
      (cores <= 8 ? series.calibration : series.held_out).push_back(seen);
    }
    out.push_back(std::move(series));
  }
  return out;
}

/// Table 01: one or two OSDs per NVMe drive, Reef; calibrated on one OSD, and on two at 2, 8 and 20 threads.
inline std::vector<TableSeries> osds_per_nvme_table(const std::filesystem::path& tables) {
  std::vector<TableSeries> out;
  const auto rows = table_rows(tables / "01_osds_per_nvme_vs_cpu_threads_reef.csv");
  for (const bool read : {true, false}) {
    TableSeries series{read ? "randread" : "randwrite", {}, {}};
    for (const auto& row : rows) {
      const double osds = std::stod(row[0]), threads = std::stod(row[1]);
      HostObservation seen;
      seen.host = {.hosts = 5, .cores = 6 * threads, .devices = 6, .network_gbit = 100, .device_slots = 128};
      seen.osds = {.osds_per_device = osds, .pgs_per_osd = 16384.0 * 3 / 30 / osds, .replicas = 3};
      seen.load = {.read_share = read ? 1.0 : 0, .customers = 50 * 128, .clients = 50};
      seen.iops = std::stod(row[read ? 2 : 3]);
      seen.p99_us = 1e3 * std::stod(row[read ? 6 : 7]);
      seen.cores_used = 6 * std::stod(row[read ? 10 : 11]);
      const bool calibrates = osds == 1 || threads == 2 || threads == 8 || threads == 20;
      (calibrates ? series.calibration : series.held_out).push_back(seen);
    }
    out.push_back(std::move(series));
  }
  return out;
}

}  // namespace osdtune
