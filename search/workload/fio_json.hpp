// SPDX-License-Identifier: Apache-2.0
// What fio wrote, read strictly: JSON of fio 2.x and 3.x, of one process or of its client/server mode.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace osdtune {

/// Completion latencies of one direction of one job. Without any, fio measured none.
struct FioLatency {
  double mean_ms = 0;
  double count = 0;                        ///< operations behind it
  std::map<double, double> percentile_ms;  ///< by per cent, as fio printed them; may be empty
  std::map<double, double> bins;           ///< middle of fio's bin in ms to operations; empty unless json+
  bool operator==(const FioLatency&) const = default;
};

/// Reads, writes, or both together where fio was told to report them as one.
struct FioDirection {
  double iops = 0;
  double bandwidth = 0;  ///< bytes per second
  double runtime_s = 0;
  double operations = 0;
  std::optional<FioLatency> latency;
  bool operator==(const FioDirection&) const = default;
};

/// One job, or a group of equal jobs under group_reporting.
struct FioJob {
  std::string name;
  std::string host;  ///< in client/server mode
  std::int64_t group = 0;
  std::int64_t error = 0;                ///< errno of the first failed operation; 0: none
  std::vector<FioDirection> directions;  ///< those with any operation
  std::optional<double>
      thread_cpu;  ///< cores that fio's own thread of a job used in the timed part (mean over the group)
  std::optional<double>
      cpu_seconds;  ///< user and system time of all jobs; unknown with librbd, see fio_json.cpp
  bool operator==(const FioJob&) const = default;
};

/// One JSON document of fio and the text around it.
struct FioResult {
  std::string source;   ///< file or process, for messages
  std::string version;  ///< "fio-3.33"
  std::vector<FioJob> jobs;
  std::vector<std::string> warnings;  ///< lines that fio mixed with the JSON, and doubts of ours
  bool operator==(const FioResult&) const = default;
};

/// Reads one document. Whatever stands before the first line that begins with '{', or after the matching '}',
/// is kept as warnings. The sum over clients that fio adds in client/server mode is not a job and is left
/// out. Throws Error{kInput} with line and column, or naming the field, if the text is not JSON as fio writes
/// it.
FioResult parse_fio_json(std::string_view text, const std::string& source);

/// Value of fio's histogram bin `index` (fio's plat_idx_to_val): the middle of a bin whose width doubles
/// every 2^bits bins.
double fio_bin_value(std::uint64_t index, unsigned bits);

}  // namespace osdtune
