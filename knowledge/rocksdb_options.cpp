// SPDX-License-Identifier: Apache-2.0
// Splits the option string of BlueStore's database and knows the names it may hold.
#include "knowledge/rocksdb_options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace osdtune {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\"'");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\"'") - first + 1));
}

// Database, column family and block table options of RocksDB, and the two names Ceph adds. Sorted.
constexpr std::array<std::string_view, 94> kKeys = {"WAL_size_limit_MB",
                                                    "WAL_ttl_seconds",
                                                    "advise_random_on_open",
                                                    "allow_concurrent_memtable_write",
                                                    "allow_data_in_errors",
                                                    "allow_fallocate",
                                                    "allow_ingest_behind",
                                                    "allow_mmap_reads",
                                                    "allow_mmap_writes",
                                                    "arena_block_size",
                                                    "atomic_flush",
                                                    "avoid_flush_during_recovery",
                                                    "avoid_flush_during_shutdown",
                                                    "avoid_unnecessary_blocking_io",
                                                    "base_background_compactions",
                                                    "best_efforts_recovery",
                                                    "block_based_table_factory",
                                                    "bloom_locality",
                                                    "bottommost_compression",
                                                    "bottommost_compression_opts",
                                                    "bytes_per_sync",
                                                    "compaction_options_fifo",
                                                    "compaction_options_universal",
                                                    "compaction_pri",
                                                    "compaction_readahead_size",
                                                    "compaction_style",
                                                    "compaction_threads",
                                                    "comparator",
                                                    "compression",
                                                    "compression_opts",
                                                    "compression_per_level",
                                                    "create_if_missing",
                                                    "create_missing_column_families",
                                                    "db_log_dir",
                                                    "db_write_buffer_size",
                                                    "delayed_write_rate",
                                                    "delete_obsolete_files_period_micros",
                                                    "disable_auto_compactions",
                                                    "dump_malloc_stats",
                                                    "enable_pipelined_write",
                                                    "enable_thread_tracking",
                                                    "enable_write_thread_adaptive_yield",
                                                    "error_if_exists",
                                                    "fail_if_options_file_error",
                                                    "flusher_threads",
                                                    "force_consistency_checks",
                                                    "hard_pending_compaction_bytes_limit",
                                                    "info_log_level",
                                                    "inplace_update_num_locks",
                                                    "inplace_update_support",
                                                    "is_fd_close_on_exec",
                                                    "keep_log_file_num",
                                                    "level0_file_num_compaction_trigger",
                                                    "level0_slowdown_writes_trigger",
                                                    "level0_stop_writes_trigger",
                                                    "level_compaction_dynamic_level_bytes",
                                                    "log_file_time_to_roll",
                                                    "log_readahead_size",
                                                    "manifest_preallocation_size",
                                                    "max_background_compactions",
                                                    "max_background_flushes",
                                                    "max_background_jobs",
                                                    "max_bytes_for_level_base",
                                                    "max_bytes_for_level_multiplier",
                                                    "max_bytes_for_level_multiplier_additional",
                                                    "max_compaction_bytes",
                                                    "max_file_opening_threads",
                                                    "max_log_file_size",
                                                    "max_manifest_file_size",
                                                    "max_open_files",
                                                    "max_sequential_skip_in_iterations",
                                                    "max_subcompactions",
                                                    "max_successive_merges",
                                                    "max_total_wal_size",
                                                    "max_write_buffer_number",
                                                    "max_write_buffer_number_to_maintain",
                                                    "max_write_buffer_size_to_maintain",
                                                    "memtable_huge_page_size",
                                                    "memtable_prefix_bloom_size_ratio",
                                                    "memtable_whole_key_filtering",
                                                    "min_write_buffer_number_to_merge",
                                                    "num_levels",
                                                    "optimize_filters_for_hits",
                                                    "paranoid_checks",
                                                    "paranoid_file_checks",
                                                    "periodic_compaction_seconds",
                                                    "prefix_extractor",
                                                    "recycle_log_file_num",
                                                    "report_bg_io_stats",
                                                    "sample_for_compression",
                                                    "skip_checking_sst_file_sizes_on_db_open",
                                                    "skip_stats_update_on_db_open",
                                                    "soft_pending_compaction_bytes_limit",
                                                    "stats_dump_period_sec"};

constexpr std::array<std::string_view, 22> kMoreKeys = {"stats_history_buffer_size",
                                                        "stats_persist_period_sec",
                                                        "strict_bytes_per_sync",
                                                        "table_cache_numshardbits",
                                                        "table_factory",
                                                        "target_file_size_base",
                                                        "target_file_size_multiplier",
                                                        "track_and_verify_wals_in_manifest",
                                                        "ttl",
                                                        "two_write_queues",
                                                        "unordered_write",
                                                        "use_adaptive_mutex",
                                                        "use_direct_io_for_flush_and_compaction",
                                                        "use_direct_reads",
                                                        "use_fsync",
                                                        "wal_bytes_per_sync",
                                                        "wal_dir",
                                                        "wal_recovery_mode",
                                                        "writable_file_max_buffer_size",
                                                        "write_buffer_size",
                                                        "write_dbid_to_manifest",
                                                        "write_thread_max_yield_usec"};

double scale_of(const std::string& suffix) {
  if (suffix.empty()) return 1;
  switch (suffix.front()) {
    case 'k':
    case 'K':
      return 1024.0;
    case 'm':
    case 'M':
      return 1024.0 * 1024;
    case 'g':
    case 'G':
      return 1024.0 * 1024 * 1024;
    default:
      return -1;
  }
}

}  // namespace

std::map<std::string, std::string> parse_rocksdb_options(std::string_view text) {
  std::map<std::string, std::string> options;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const bool ends = at == text.size();
    if (!ends && text[at] == '{') ++depth;
    if (!ends && text[at] == '}' && depth > 0) --depth;
    if (!ends && (depth > 0 || (text[at] != ',' && text[at] != ';'))) continue;
    const std::string_view part = text.substr(start, at - start);
    start = at + 1;
    const auto equals = part.find('=');
    const std::string key = trimmed(part.substr(0, equals));
    if (!key.empty()) options[key] = equals == std::string_view::npos ? "" : trimmed(part.substr(equals + 1));
  }
  return options;
}

double rocksdb_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const double scale = scale_of(end);
  if (end == text.c_str() || number < 0 || scale < 0) return -1;
  return number * scale;
}

std::vector<std::string> unknown_rocksdb_keys(const std::map<std::string, std::string>& options) {
  std::vector<std::string> unknown;
  for (const auto& [key, value] : options)
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end() &&
        std::find(kMoreKeys.begin(), kMoreKeys.end(), key) == kMoreKeys.end())
      unknown.push_back(key);
  return unknown;
}

double rocksdb_buffer_bytes(const std::map<std::string, std::string>& options) {
  const auto size = options.find("write_buffer_size");
  const auto count = options.find("max_write_buffer_number");
  if (size == options.end() || count == options.end()) return -1;
  const double bytes = rocksdb_number(size->second);
  const double number = rocksdb_number(count->second);
  return bytes < 0 || number < 0 ? -1 : bytes * number * kColumnFamilies;
}

}  // namespace osdtune
