// SPDX-License-Identifier: Apache-2.0
// Load on RBD images and the numbers that come back. The interface; fio is the real one, sim/ has the
// simulated.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/json_file.hpp"

namespace osdtune {

/// What load to make. Field names are fio's.
struct WorkloadSpec {
  std::string name;
  std::string rw = "randwrite";  ///< read, write, randread, randwrite, rw, randrw
  std::int64_t bs = 4096;        ///< bytes
  int iodepth = 1;               ///< per job
  int jobs = 1;                  ///< jobs per image
  int images = 1;                ///< images loaded at once, one fio process each
  std::optional<int> rwmixread;  ///< per cent, for rw and randrw only
  bool operator==(const WorkloadSpec&) const = default;
};

/// Where the load goes.
struct LoadTarget {
  std::string conf;    ///< path of the ceph.conf to use
  std::string client;  ///< "client.admin"
  std::string pool;
  std::vector<std::string> images;  ///< all of image_bytes
  std::int64_t image_bytes = 0;
  std::vector<pid_t> osds;  ///< OSDs on this host; their processor time is taken during a run
};

/// Numbers of one run over all its images. Absent = the load generator did not say; never zero in its place.
struct Run {
  std::string workload;
  double iops = 0;
  double bandwidth = 0;                                            ///< bytes per second
  double runtime_s = 0;                                            ///< of the timed part
  std::optional<double> mean_ms, p50_ms, p95_ms, p99_ms, p999_ms;  ///< completion latency
  std::optional<double> client_cpu;  ///< cores used by the load generator (1.0 = one core busy)
  std::optional<double> osd_cpu;     ///< cores used by the OSDs of one host
  std::optional<double> job_cpu;     ///< cores used by the busiest job's own thread; at 1.0 it is the limit
  std::map<std::string, double> stage_us;  ///< mean latencies inside the OSDs, by counters of `perf dump`
  std::vector<std::string> warnings;
  bool operator==(const Run&) const = default;
};

Json to_json(const Run& run);
Run run_from_json(const Json& json, const std::string& where);

/// How long a run lasts.
struct RunLength {
  double ramp_s = 60;
  double runtime_s = 600;
};

/// Makes load.
class Workload {
 public:
  virtual ~Workload() = default;
  /// Throws Error{kCluster} if this machine cannot make the load (no fio, fio without the rbd engine).
  virtual void check() = 0;
  /// One run. Throws TrialError if it gave no trustworthy number (with the reason in it), Error{kInterrupted}
  /// on stop.
  virtual Run run(const WorkloadSpec& spec, const LoadTarget& target, const RunLength& length,
                  std::stop_token stop) = 0;
};

}  // namespace osdtune
