// SPDX-License-Identifier: Apache-2.0
// Load with fio's rbd engine: one fio process per image, all started together, none without a bound.
#pragma once

#include <chrono>
#include <string>

#include "search/workload/workload.hpp"

namespace osdtune {

/// What fio may take and where it is.
struct FioOptions {
  std::string program = "fio";
  /// Beyond ramp and run time: connecting, opening the image, the last operations. Then it counts as hung
  /// (fio with several rbd jobs has been seen to wait for ever, axboe/fio#1778).
  std::chrono::milliseconds margin = std::chrono::seconds(60);
};

/// The real load generator.
class Fio : public Workload {
 public:
  explicit Fio(FioOptions options = {}) : options_(std::move(options)) {}

  /// fio 3 or newer with the rbd engine is installed.
  void check() override;

  /// Loads the first `spec.images` images of the target. `client_cpu` is that of the fio processes with all
  /// their threads, those of librbd included. A failure of one process ends the others at once. TrialError:
  /// fio failed, was killed, hung, or gave no numbers; the message ends with its last words.
  /// Error{kInterrupted}: stop was asked for. Error{kInput}: spec and target do not fit together.
  Run run(const WorkloadSpec& spec, const LoadTarget& target, const RunLength& length,
          std::stop_token stop) override;

 private:
  FioOptions options_;
};

}  // namespace osdtune
