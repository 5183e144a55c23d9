// SPDX-License-Identifier: Apache-2.0
// A connection to a cluster over librados: commands in, JSON or text out, every call with a bound.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "core/json_file.hpp"

namespace osdtune {

/// A command that the cluster answered with an error; `code()` is a positive errno value.
class CommandError : public Error {
 public:
  CommandError(const std::string& message, int code, std::string words)
      : Error(ErrorKind::kCluster, message), code_(code), words_(std::move(words)) {}
  int code() const { return code_; }
  /// What the cluster said, without the name of the command.
  const std::string& words() const { return words_; }

 private:
  int code_;
  std::string words_;
};

/// Thread-safe: several threads may send commands at once. Failures are Error{kCluster} and name the command.
class RadosClient {
 public:
  /// Connects as `client` ("client.admin"). Throws Error{kInput} if the file is not there, Error{kCluster}
  /// within about 15 seconds if no monitor answers or the key is refused.
  RadosClient(const std::filesystem::path& conf, const std::string& client);
  ~RadosClient();
  RadosClient(const RadosClient&) = delete;
  RadosClient& operator=(const RadosClient&) = delete;

  std::string fsid() const;
  /// Sends {"prefix": ..., ...} to the monitors, which pass on what belongs to the manager. The text as it
  /// came.
  std::string mon_text(const Json& command, const std::string& input = "") const;
  /// The same with format=json, parsed.
  Json mon(Json command) const;
  /// Asks one monitor by its name ("a"), parsed.
  Json one_mon(const std::string& name, Json command) const;
  /// Asks one OSD, parsed.
  Json osd(int id, Json command) const;
  /// The librados handle (rados_t), for librbd.
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

/// Throws CommandError if `code` (librados style, negative errno) is an error. `what` names the command.
void check_rados(int code, const std::string& what, const std::string& words = "");

}  // namespace osdtune
