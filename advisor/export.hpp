// SPDX-License-Identifier: Apache-2.0
// A configuration as something to apply: one file per format behind this interface.
#pragma once

#include <optional>
#include <string>

#include "search/planner.hpp"
#include "search/resolve.hpp"
#include "search/study.hpp"

namespace osdtune {

/// What every format is made from.
struct Export {
  const StudyHeader& header;
  std::string study;   ///< name of the study file
  std::string origin;  ///< "the recommendation", "trial 7"
  Config config;
  Settings settings;     ///< what differs from the configuration as found
  std::string effect;    ///< measured effect, one line per objective
  bool restart = false;  ///< OSDs have to be restarted for it
};

/// `prediction` is what is known of the effect of `config`, if anything.
Export make_export(const Study& study, const std::string& study_name, const std::string& origin,
                   const Config& config, const std::optional<Prediction>& prediction);

std::string ceph_conf_text(const Export& what);  ///< format_ceph_conf.cpp
std::string commands_text(const Export& what);   ///< format_commands.cpp
std::string undo_text(const Export& what);       ///< format_commands.cpp
/// format_osd_spec.cpp. Throws Error{kInput} where osds_per_device was not searched.
std::string osd_spec_text(const Export& what);

}  // namespace osdtune
