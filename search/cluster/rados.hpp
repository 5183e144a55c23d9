// SPDX-License-Identifier: Apache-2.0
// A real cluster, over librados.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "search/cluster/cluster.hpp"
#include "search/cluster/rados_client.hpp"

namespace osdtune {

class RadosCluster : public Cluster {
 public:
  /// Connects; errors as RadosClient.
  RadosCluster(const std::filesystem::path& conf, const std::string& client) : client_(conf, client) {}

  std::string fsid() override { return client_.fsid(); }
  std::string release() override;
  Health health() override;
  std::vector<Osd> osds() override;
  std::int64_t osd_map_epoch() override;
  Json osd_metadata() override;
  PgStates pg_states() override;
  std::vector<Pool> pools() override;

  std::vector<std::string> option_names() override;
  OptionHelp option_help(const std::string& name) override;
  std::vector<StoredOption> stored_options() override;
  std::map<std::string, std::string> running_values(int osd, const std::set<std::string>& names) override;
  std::map<std::string, LatencySum> latencies(int osd) override;
  void set_options(const std::vector<StoredOption>& options) override;
  void remove_options(const std::vector<StoredOption>& options) override;

  std::set<std::string> flags() override;
  void set_flag(const std::string& flag, bool on) override;
  bool balancer_active() override;
  void set_balancer(bool active) override;
  void set_autoscale(const std::string& pool, const std::string& mode) override;
  void create_pool(const std::string& name, int pg_num, int size) override;
  void remove_pool(const std::string& name) override;
  bool may_remove_pools() override;
  std::string config_key(const std::string& key) override;
  void set_config_key(const std::string& key, const std::string& value) override;
  void remove_config_key(const std::string& key) override;

  void create_image(const std::string& pool, const std::string& name, std::int64_t bytes) override;

  const RadosClient& client() const { return client_; }

 private:
  RadosClient client_;
};

std::unique_ptr<Cluster> connect_rados(const std::filesystem::path& conf, const std::string& client);

}  // namespace osdtune
