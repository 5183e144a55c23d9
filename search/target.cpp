// SPDX-License-Identifier: Apache-2.0
// Opening what --on names.
#include "search/target.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "knowledge/host_facts.hpp"
#include "search/cluster/lab.hpp"
#include "search/cluster/rados.hpp"
#include "search/sim/sim_file.hpp"
#include "search/workload/fio.hpp"

namespace osdtune {
namespace {

Target open_cluster(std::string name, const std::filesystem::path& conf, const std::string& client) {
  Target target{.name = std::move(name), .client = client};
  target.cluster = connect_rados(conf, client);
  target.workload = std::make_shared<Fio>();
  target.load.conf = conf.string();
  target.load.client = client;
  target.client_cores = usable_cores(collect_host_facts());
  return target;
}

Target open_lab_target(const std::filesystem::path& directory, const std::string& client) {
  auto lab = std::make_shared<Lab>(open_lab(directory));
  Target target = open_cluster("lab:" + lab->directory().string(), lab->conf(), client);
  target.control = lab;
  const std::string& cpus = lab->state().cpus;
  target.osd_cores = cpus.empty() ? target.client_cores : static_cast<double>(cpu_list(cpus).size());
  return target;
}

Target open_simulation(const std::string& on, const std::string& file, const std::string& client) {
  const Simulation simulation = load_simulation(file);
  return {.name = on,
          .client = client,
          .simulated = true,
          .cluster = simulation.cluster,
          .control = simulation.cluster,
          .workload = simulation.workload,
          .osd_cores = simulation.osd_cores};
}

}  // namespace

OptionSource option_source(const Catalogue& catalogue, const Target& target) {
  OptionSource source = live_source(catalogue, *target.cluster, target.control.get());
  if (target.control == nullptr || target.simulated) return source;
  const HostFacts facts = collect_host_facts();
  source.host = OsdHost{.osds = static_cast<int>(target.cluster->osds().size()),
                        .cpus = usable_cores(facts),
                        .memory_bytes = facts.memory_bytes};
  return source;
}

Target open_target(const std::string& on, const std::string& client) {
  const auto colon = on.find(':');
  const std::string kind = on.substr(0, colon), rest = colon == std::string::npos ? "" : on.substr(colon + 1);
  if (kind == "lab")
    return open_lab_target(rest.empty() ? default_lab_directory() : std::filesystem::path(rest), client);
  if (kind == "ceph" && !rest.empty()) return open_cluster(on, rest, client);
  if (kind == "sim" && !rest.empty()) return open_simulation(on, rest, client);
  throw Error(ErrorKind::kUsage,
              fmt::format("--on {}: expected lab, lab:DIR, ceph:CONF or sim:FILE.json", on),
              "for example --on ceph:/etc/ceph/ceph.conf");
}

}  // namespace osdtune
