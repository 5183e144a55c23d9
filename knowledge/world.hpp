// SPDX-License-Identifier: Apache-2.0
// Facts as rules ask for them: by name, for one subject at a time, with defaults of the release filled in.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "knowledge/facts.hpp"
#include "knowledge/rule.hpp"

namespace osdtune {

/// A few values by name. Names must outlive it: literals, or names that the world keeps.
class FactList {
 public:
  void put(std::string_view name, Value value);
  /// Nothing for nullopt.
  template <class T>
  void put(std::string_view name, const std::optional<T>& value) {
    if (value) put(name, Value(*value));
  }
  const Value* find(std::string_view name) const;

 private:
  std::vector<std::pair<std::string_view, Value>> facts_;
};

/// What a rule looks at. Facts not found here are asked from the host (of an OSD), then from the cluster.
struct Subject {
  SubjectKind kind = SubjectKind::kCluster;
  std::string name;   ///< "osd.3", "host a", "pool rbd", "osd_memory_target"
  std::string group;  ///< for the reader: host and class, or section
  int osd = -1;
  const Subject* parent = nullptr;
  const FoundSetting* setting = nullptr;
  std::optional<Place> place;
  FactList facts;
};

/// All subjects of one set of facts. Facts with these prefixes are worked out when asked for:
/// "opt.X" value in force or default; "set.X" value somebody set; "run.X" value the daemon runs with;
/// "client.X" value set for clients; "log.X" and "gather.X" debug levels of subsystem X; "perf.X"
/// counters of the OSD; "rocksdb.X" keys of
/// the database's options.
class World {
 public:
  /// `overlay` holds facts that are true for every subject (examples of rules). All references must outlive
  /// it.
  World(const Facts& facts, const Catalogue& catalogue, std::map<std::string, Value> overlay = {});

  const std::deque<Subject>& subjects() const { return subjects_; }
  std::optional<Value> fact(const Subject& subject, const std::string& name) const;
  const std::optional<Release>& release() const { return release_; }
  const SettingIndex& index() const { return index_; }
  const Facts& facts() const { return facts_; }
  const Catalogue& catalogue() const { return catalogue_; }
  /// The option as the cluster's release has it; its newest form where the release is unknown.
  const Option* option(const std::string& name) const;

 private:
  void add_cluster();
  void add_hosts();
  void add_osds();
  const Subject* add_osd(const OsdFacts& osd);
  void add_pools();
  void add_settings();
  void find_capacity_medians();
  void add_setting(const FoundSetting& setting, const std::vector<int>& ids, std::vector<std::string>* names);
  const Subject* describe(const std::string& name, const Option& option);
  void add_scope(const FoundSetting& setting, const std::vector<int>& ids, Subject* subject) const;
  std::optional<double> number(const Subject& subject, const std::string& name) const;
  /// Of an option with _hdd and _ssd forms: the plain value, or that of the form for the OSD's drive.
  std::optional<double> number_by_class(const Subject& subject, const std::string& option) const;
  void add_loads();
  std::optional<Value> worked_out(const Subject& subject, const std::string& name) const;
  std::optional<Value> typed(const std::string& name, const std::string& text) const;
  std::optional<Value> option_value(const Subject& subject, const std::string& name) const;
  bool in_release(const std::string& name) const;
  std::optional<Value> default_value(const std::string& name) const;
  std::optional<Value> rocksdb_value(const Subject& subject, const std::string& key) const;

  const Facts& facts_;
  const Catalogue& catalogue_;
  std::map<std::string, Value> overlay_;
  SettingIndex index_;
  std::optional<Release> release_;
  std::deque<Subject> subjects_;
  std::unordered_map<std::string, Subject*> hosts_;
  std::unordered_map<std::string, Subject>
      described_;  ///< by option: what all of its settings have in common
  std::unordered_map<std::string, double> capacity_medians_;  ///< by option, over OSDs that have their own
  std::set<std::string, std::less<>> names_;                  ///< of facts that are no literals
  mutable std::unordered_map<std::string, std::optional<Option>> options_;  ///< looked up once each
  mutable std::unordered_map<std::string, std::optional<Value>> defaults_;
  mutable std::unordered_map<std::string, bool> in_release_;
};

}  // namespace osdtune
