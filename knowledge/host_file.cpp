// SPDX-License-Identifier: Apache-2.0
// Reading host files.
#include "knowledge/host_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace osdtune {

namespace {

double positive(Fields& fields, const std::string& key, std::optional<double> fallback = {}) {
  const double value = fields.number(key, fallback);
  if (value > 0 && std::isfinite(value)) return value;
  throw Error(ErrorKind::kInput,
              fmt::format("{}: {} must be above zero, not {}", fields.where(), key, value));
}

/// The object under `key`, or an empty one.
const Json& part(Fields& fields, const std::string& key) {
  static const Json kNone = Json::object();
  const Json* found = fields.find(key);
  return found ? *found : kNone;
}

void read_device(const Json& json, const std::string& where, HostFile* host) {
  Fields fields(json, where);
  HostShape& shape = host->shape;
  host->device_tb = positive(fields, "tb");
  shape.device_read_us = positive(fields, "read_us", shape.device_read_us);
  shape.device_write_us = positive(fields, "write_us", shape.device_write_us);
  shape.device_slots = positive(fields, "slots", shape.device_slots);
  shape.device_mb_s = positive(fields, "mb_s", shape.device_mb_s);
  fields.finish();
}

void read_osds(const Json& json, const std::string& where, OsdShape* osds) {
  Fields fields(json, where);
  osds->osds_per_device = positive(fields, "osds_per_device", osds->osds_per_device);
  osds->shards = positive(fields, "shards", osds->shards);
  osds->threads_per_shard = positive(fields, "threads_per_shard", osds->threads_per_shard);
  osds->messenger_threads = positive(fields, "messenger_threads", osds->messenger_threads);
  osds->pgs_per_osd = positive(fields, "pgs_per_osd", osds->pgs_per_osd);
  osds->replicas = positive(fields, "replicas", osds->replicas);
  fields.finish();
}

void read_price(const Json& json, const std::string& where, HostFile* host) {
  Fields fields(json, where);
  host->host_price = positive(fields, "host");
  host->device_price = positive(fields, "device");
  host->currency = fields.text("currency", host->currency);
  fields.finish();
}

}  // namespace

HostFile host_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  HostFile host;
  host.name = fields.text("name");
  HostShape& shape = host.shape;
  shape.hosts = positive(fields, "hosts", 1);
  shape.cores = positive(fields, "cores");
  shape.clock_ghz = positive(fields, "clock_ghz", kCostsClockGhz);
  shape.devices = positive(fields, "devices");
  shape.network_gbit = positive(fields, "network_gbit", shape.network_gbit);
  shape.idle_exit_us = fields.number("idle_exit_us", 0);
  host.memory_gib = positive(fields, "memory_gib");
  read_device(fields.require("device"), where + ": device", &host);
  read_osds(part(fields, "osds"), where + ": osds", &host.osds);
  if (const Json* price = fields.find("price")) read_price(*price, where + ": price", &host);
  fields.finish();
  if (shape.idle_exit_us < 0 || !std::isfinite(shape.idle_exit_us))
    throw Error(ErrorKind::kInput, where + ": idle_exit_us must not be below zero");
  return host;
}

HostFile load_host(const std::filesystem::path& path) {
  return host_from_json(load_json(path), path.string());
}

}  // namespace osdtune
