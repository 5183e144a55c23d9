// SPDX-License-Identifier: Apache-2.0
// One Ceph option as it is in one release: words for its enumerations and the assumptions that are safe.
#include "knowledge/option.hpp"

namespace osdtune {

std::string to_text(TakesEffect takes_effect) {
  switch (takes_effect) {
    case TakesEffect::kLive:
      return "live";
    case TakesEffect::kNewConnections:
      return "new connections";
    case TakesEffect::kImageReopen:
      return "image reopen";
    case TakesEffect::kRestart:
      return "restart";
    case TakesEffect::kRecreate:
      return "recreate";
  }
  return "";
}

std::string to_text(Safety safety) {
  switch (safety) {
    case Safety::kNone:
      return "none";
    case Safety::kMemory:
      return "memory";
    case Safety::kDiagnosis:
      return "diagnosis";
    case Safety::kSecurity:
      return "security";
    case Safety::kData:
      return "data";
  }
  return "";
}

TakesEffect takes_effect_or_restart(const Option& option) {
  return option.takes_effect.value_or(TakesEffect::kRestart);
}

bool is_searchable(const Option& option) {
  return option.safety == Safety::kNone || option.safety == Safety::kMemory;
}

}  // namespace osdtune
