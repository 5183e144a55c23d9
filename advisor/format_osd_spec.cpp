// SPDX-License-Identifier: Apache-2.0
// Export as a cephadm OSD service specification: only OSDs per device is a matter of deployment.
#include <fmt/format.h>

#include "advisor/export.hpp"
#include "core/error.hpp"

namespace osdtune {

std::string osd_spec_text(const Export& what) {
  const auto it = what.config.find("osds_per_device");
  if (it == what.config.end())
    throw Error(ErrorKind::kInput,
                fmt::format("{}: osds_per_device was not searched, so there is nothing to deploy differently",
                            what.study),
                "the other settings: --format ceph-conf or commands");
  const bool rotational =
      what.header.facts.value("osd_host", Json::object()).value("device_class", "") == "hdd";
  std::string out =
      fmt::format("# osdtune {}: {} of {}{}\n# measured on Ceph {}, {}, {}\n", what.header.tool_version,
                  what.origin, what.study, what.header.simulated ? " (SIMULATED)" : "", what.header.release,
                  what.header.target, what.header.created);
  out +=
      "# Deploys new OSDs only; existing ones keep their layout until they are replaced, one failure domain "
      "at a time.\n";
  out += "# ceph orch apply -i FILE --dry-run\n";
  out += fmt::format(
      "service_type: osd\nservice_id: osdtune\nplacement:\n  host_pattern: '*'   # narrow this to the hosts "
      "that were measured\n"
      "spec:\n  data_devices:\n    rotational: {}\n  osds_per_device: {}\n",
      rotational ? 1 : 0, to_text(it->second));
  return out;
}

}  // namespace osdtune
