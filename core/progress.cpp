// SPDX-License-Identifier: Apache-2.0
// Names of the phases, as they appear in studies and reports.
#include "core/progress.hpp"

namespace osdtune {

std::string to_text(Phase phase) {
  switch (phase) {
    case Phase::kOther:
      return "other";
    case Phase::kPrefill:
      return "prefill";
    case Phase::kChange:
      return "changing settings";
    case Phase::kRestart:
      return "restart";
    case Phase::kRedeploy:
      return "redeploy";
    case Phase::kSettle:
      return "settling";
    case Phase::kMeasure:
      return "measuring";
    case Phase::kThink:
      return "thinking";
    case Phase::kRestore:
      return "restoring";
  }
  return "other";
}

}  // namespace osdtune
