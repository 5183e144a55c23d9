// SPDX-License-Identifier: Apache-2.0
// Truncation in place: the daemons keep their files open.
#include "search/cluster/lab_logs.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace osdtune {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
namespace {

// Several times what an OSD writes between two looks.
constexpr std::uintmax_t kLogLimit = 192 << 20;
constexpr auto kPause = 1s;

}  // namespace

int trim_logs(const fs::path& folder, std::uintmax_t limit) {
  int trimmed = 0;
  std::error_code failed;
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    std::error_code gone;  // a log may be removed while we look
    if (file->path().extension() != ".log" || file->file_size(gone) <= limit || gone) continue;
    fs::resize_file(file->path(), 0, gone);
    trimmed += !gone;
  }
  return trimmed;
}

LogTrimmer::LogTrimmer(fs::path folder)
    : thread_([folder = std::move(folder)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        while (!stop.stop_requested()) {
          trim_logs(folder, kLogLimit);
          stopped.wait_for(lock, stop, kPause, [] { return false; });
        }
      }) {}

}  // namespace osdtune
