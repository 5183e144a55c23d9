// SPDX-License-Identifier: Apache-2.0
// What all export formats share.
#include "advisor/export.hpp"

#include <fmt/format.h>

#include "advisor/recommend.hpp"
#include "core/units.hpp"
#include "search/observe.hpp"

namespace osdtune {

Export make_export(const Study& study, const std::string& study_name, const std::string& origin,
                   const Config& config, const std::optional<Prediction>& prediction) {
  const StudyHeader& header = *study.header;
  Export what{.header = header,
              .study = study_name,
              .origin = origin,
              .config = config,
              .settings = settings_for(config, header.space, header.debug_names)};
  for (const auto& setting : header.space.settings)
    if (config.at(setting.name) != setting.default_value)
      what.restart = what.restart || setting.change == Change::kRestart;
  if (!prediction) return what;
  const Task task = make_task(study);
  for (std::size_t i = 0; i < task.objectives.size(); ++i)
    what.effect += fmt::format(
        "{} {}, {} against as found\n", task.objectives[i].name, format_number(prediction->mean[i]),
        gain_text(prediction->gain[i], prediction->gain_low[i], prediction->gain_high[i]));
  return what;
}

}  // namespace osdtune
