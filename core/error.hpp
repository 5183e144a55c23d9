// SPDX-License-Identifier: Apache-2.0
// The three ways something can fail, and what the reader is told about it.
#pragma once

#include <stdexcept>
#include <string>

namespace osdtune {

/// What kind of failure stopped a command; cli/ maps each to its exit code.
enum class ErrorKind {
  kUsage,        ///< wrong command line
  kInput,        ///< a file the user gave is broken or contradicts itself
  kCluster,      ///< the cluster or the load generator did not do what was asked
  kInterrupted,  ///< SIGINT or SIGTERM
};

/// Stops the command. `message` says what failed and on what; `hint` says what to do next.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, std::string hint = "")
      : std::runtime_error(message), kind_(kind), hint_(std::move(hint)) {}
  ErrorKind kind() const { return kind_; }
  const std::string& hint() const { return hint_; }

 private:
  ErrorKind kind_;
  std::string hint_;
};

/// A result, not a failure of the tool: this configuration cannot be measured, because `what()`.
class TrialError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The cluster could not be put back. The loudest error there is; the journal stays open.
class RollbackError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace osdtune
