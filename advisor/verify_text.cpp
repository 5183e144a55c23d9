// SPDX-License-Identifier: Apache-2.0
// Wording of verifications.
#include "advisor/verify_text.hpp"

#include <fmt/format.h>

#include "advisor/recommend.hpp"

namespace osdtune {

std::string to_text(const Verification& verification, const Space& space) {
  std::string out = fmt::format("{} against the configuration as found, {} pair(s) side by side\n",
                                to_text(changed_settings(verification.config, space)), verification.pairs);
  for (std::size_t i = 0; i < verification.objectives.size(); ++i) {
    const auto& gain = verification.gain[i];
    out += fmt::format("{:<20} gain {}\n", verification.objectives[i],
                       gain ? gain_text(gain->value, gain->low, gain->high) : "unknown: needs two pairs");
  }
  if (verification.failed > 0)
    return out + fmt::format("NOT confirmed: {} of its trials failed; their reasons are in the study.\n",
                             verification.failed);
  return out + (verification.confirmed
                    ? "Confirmed: the gain is more than noise.\n"
                    : "NOT confirmed: no significant gain. Leave the configuration as it is.\n");
}

Json to_json(const Verification& verification) {
  Json gains = Json::object();
  for (std::size_t i = 0; i < verification.objectives.size(); ++i)
    if (const auto& gain = verification.gain[i])
      gains[verification.objectives[i]] = {{"gain", gain->value}, {"interval", {gain->low, gain->high}}};
  return {{"config", to_json(verification.config)},
          {"pairs", verification.pairs},
          {"failed", verification.failed},
          {"objectives", gains},
          {"confirmed", verification.confirmed}};
}

}  // namespace osdtune
