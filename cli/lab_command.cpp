// SPDX-License-Identifier: Apache-2.0
// osdtune lab up | status | down: a throw-away cluster on this host.
#include <fmt/format.h>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/context.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "search/cluster/lab.hpp"

namespace osdtune {
namespace {

constexpr const char* kSizeHelp =
    "bytes of each device, e.g. 4G (default: 4G, or what fits); files are sparse, space is taken as data is "
    "written";

Json daemons_json(const LabState& state) {
  Json daemons = Json::object();
  for (const auto& [name, id] : state.daemons) daemons[name] = id.pid;
  return daemons;
}

Json status_json(const LabStatus& status) {
  const LabState& state = status.state;
  return {{"directory", status.directory.string()},
          {"conf", lab_conf_path(status.directory).string()},
          {"condition", to_text(status.condition)},
          {"fsid", state.fsid},
          {"mon_port", state.mon_port},
          {"devices", state.devices},
          {"osds_per_device", state.osds_per_device},
          {"device_bytes", state.device_bytes},
          {"replicas", state.replicas},
          {"cpus", state.cpus},
          {"daemons", daemons_json(state)},
          {"gone", status.gone}};
}

void print_status(const LabStatus& status) {
  if (status.condition == LabCondition::kBroken) {
    fmt::print("{}: {}\n", status.directory.string(), to_text(status.condition));
    return;
  }
  const LabState& state = status.state;
  fmt::print("{}: {}; {} devices of {}, {} OSDs each, {} copies{}\n", status.directory.string(),
             to_text(status.condition), state.devices, format_size(double(state.device_bytes)),
             state.osds_per_device, state.replicas, state.cpus.empty() ? "" : ", OSDs on CPUs " + state.cpus);
  if (!status.gone.empty()) fmt::print("  not running: {}\n", fmt::join(status.gone, ", "));
  const bool usable = status.condition == LabCondition::kRunning;
  fmt::print("  {}\n", usable ? fmt::format("ceph -c {} -s", lab_conf_path(status.directory).string())
                              : fmt::format("osdtune lab down --dir {}", status.directory.string()));
}

void run_up(const LabOptions& options, Context& context) {
  const Lab lab = lab_up(options, context.console, context.stop);
  if (context.json)
    print_json(status_json(lab_status(lab.directory())));
  else
    fmt::print("ceph -c {} -s\n", lab.conf().string());
}

void run_status(const std::string& directory, Context& context) {
  const std::vector<LabStatus> labs =
      directory.empty() ? find_labs() : std::vector<LabStatus>{lab_status(directory)};
  if (context.json) {
    Json list = Json::array();
    for (const LabStatus& lab : labs) list.push_back(status_json(lab));
    return print_json({{"labs", list}});
  }
  if (labs.empty()) fmt::print("no labs; 'osdtune lab up' makes one\n");
  for (const LabStatus& lab : labs) print_status(lab);
}

void run_down(const std::string& directory, Context& context) {
  const auto lab = directory.empty() ? default_lab_directory() : std::filesystem::path(directory);
  lab_down(lab, context.console);
  if (context.json) print_json({{"removed", lab.string()}});
}

void add_up(CLI::App& lab, Context& context) {
  struct Arguments {
    LabOptions options;
    std::string directory, size;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* up = lab.add_subcommand("up", "make a lab and wait until it is healthy");
  up->add_option("--dir", arguments->directory,
                 "its folder (default: in /dev/shm if it fits, else in /var/tmp)");
  up->add_option("--devices", arguments->options.devices, "backing stores")->capture_default_str();
  up->add_option("--osds-per-device", arguments->options.osds_per_device, "OSDs that share each of them")
      ->capture_default_str();
  up->add_option("--size", arguments->size, kSizeHelp);
  up->add_option("--replicas", arguments->options.replicas, "copies of every object")->capture_default_str();
  up->add_option("--cpus", arguments->options.cpus, "CPUs for the OSDs, e.g. 0-1,4 (default: all)");
  up->footer(
      "Examples:\n"
      "  osdtune lab up\n"
      "  osdtune lab up --devices 4 --osds-per-device 2 --size 8G --cpus 0-7\n\n"
      "The last line printed is the command that shows the lab's state.\n"
      "Logs lie in its folder and grow fast at high debug levels; they are removed when an OSD is "
      "restarted.\n\n" +
      exit_codes_help({0, 2, 4, 130}));
  up->callback([arguments, &context] {
    arguments->options.directory = arguments->directory;
    if (!arguments->size.empty()) arguments->options.device_bytes = parse_size(arguments->size, "--size");
    run_up(arguments->options, context);
  });
}

void add_directory_command(CLI::App& lab, Context& context, const char* name, const char* help,
                           const char* where, void (*run)(const std::string&, Context&)) {
  auto directory = std::make_shared<std::string>();
  CLI::App* command = lab.add_subcommand(name, help);
  command->add_option("--dir", *directory, where);
  command->footer(fmt::format("Example:\n  osdtune lab {}\n\n{}", name, exit_codes_help({0, 2, 3, 4})));
  command->callback([directory, run, &context] { run(*directory, context); });
}

}  // namespace

void add_lab_command(CLI::App& app, Context& context) {
  CLI::App* lab = app.add_subcommand("lab", "a throw-away Ceph cluster on this host");
  lab->require_subcommand(1);
  lab->footer(
      "A monitor, a manager and BlueStore OSDs on loopback, as this user, in one folder.\n"
      "'osdtune lab up' makes it, 'osdtune lab status' lists labs (crashed ones too), 'osdtune lab down' "
      "removes it.\n\n" +
      exit_codes_help({0, 2, 3, 4, 130}));
  add_up(*lab, context);
  add_directory_command(*lab, context, "status", "list labs and what runs of them",
                        "only the lab in this folder", run_status);
  add_directory_command(*lab, context, "down", "end a lab's daemons and remove its folder",
                        "the lab's folder (default: where 'lab up' puts it)", run_down);
}

}  // namespace osdtune
