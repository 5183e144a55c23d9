// SPDX-License-Identifier: Apache-2.0
// Host facts as JSON, for studies and for advice on another machine.
#include "core/error.hpp"
#include "knowledge/host_facts.hpp"

namespace osdtune {
namespace {

/// Calls `visit(name, field)` for every optional field; one list serves reading and writing.
template <class Facts, class Visit>
void each_field(Facts& facts, Visit visit) {
  visit("name", facts.name);
  visit("system", facts.system);
  visit("kernel", facts.kernel);
  visit("cpu_model", facts.cpu_model);
  visit("cpu_vendor", facts.cpu_vendor);
  visit("threads", facts.threads);
  visit("cores", facts.cores);
  visit("threads_online", facts.threads_online);
  visit("sockets", facts.sockets);
  visit("numa_nodes", facts.numa_nodes);
  visit("smt", facts.smt);
  visit("turbo", facts.turbo);
  visit("governor", facts.governor);
  visit("frequency_driver", facts.frequency_driver);
  visit("mhz_min", facts.mhz_min);
  visit("mhz_max", facts.mhz_max);
  visit("idle_driver", facts.idle_driver);
  visit("idle_latency_us", facts.idle_latency_us);
  visit("virtual_machine", facts.virtual_machine);
  visit("transparent_huge_pages", facts.transparent_huge_pages);
  visit("iommu", facts.iommu);
  visit("memory_bytes", facts.memory_bytes);
  visit("swap_bytes", facts.swap_bytes);
  visit("memory_limit_bytes", facts.memory_limit_bytes);
  visit("cpu_limit", facts.cpu_limit);
  visit("encrypted_devices", facts.encrypted_devices);
  visit("interrupts_per_s", facts.interrupts_per_s);
}

template <class Facts, class Visit>
void each_nic_field(Facts& nic, Visit visit) {
  visit("speed_mbit", nic.speed_mbit);
  visit("mtu", nic.mtu);
}

template <class Facts, class Visit>
void each_drive_field(Facts& drive, Visit visit) {
  visit("model", drive.model);
  visit("bytes", drive.bytes);
  visit("rotational", drive.rotational);
  visit("write_cache", drive.write_cache);
}

/// Whole numbers without a fraction, so that the file reads as people write it.
Json number_json(double number) {
  const auto whole = static_cast<std::int64_t>(number);
  return static_cast<double>(whole) == number ? Json(whole) : Json(number);
}

struct Writer {
  Json* json;
  void operator()(const char* name, const std::optional<double>& field) const {
    if (field) (*json)[name] = number_json(*field);
  }
  template <class T>
  void operator()(const char* name, const std::optional<T>& field) const {
    if (field) (*json)[name] = *field;
  }
};

struct Reader {
  Fields* fields;
  void operator()(const char* name, std::optional<double>& field) const {
    if (fields->find(name)) field = fields->number(name);
  }
  void operator()(const char* name, std::optional<bool>& field) const {
    if (fields->find(name)) field = fields->boolean(name);
  }
  void operator()(const char* name, std::optional<std::string>& field) const {
    if (fields->find(name)) field = fields->text(name);
  }
};

NicFacts nic_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  NicFacts nic{.name = fields.text("name")};
  each_nic_field(nic, Reader{&fields});
  fields.finish();
  return nic;
}

DriveFacts drive_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  DriveFacts drive{.name = fields.text("name")};
  each_drive_field(drive, Reader{&fields});
  fields.finish();
  return drive;
}

template <class T, class Read>
std::vector<T> list_from(Fields* fields, const std::string& key, Read read) {
  std::vector<T> list;
  const Json* array = fields->find(key);
  if (!array) return list;
  const std::string where = fields->where() + "." + key;
  if (!array->is_array()) throw Error(ErrorKind::kInput, where + " must be a list");
  for (std::size_t i = 0; i < array->size(); ++i)
    list.push_back(read((*array)[i], where + "[" + std::to_string(i) + "]"));
  return list;
}

std::string text_from(const Json& json, const std::string& where) {
  if (!json.is_string()) throw Error(ErrorKind::kInput, where + " must be text");
  return json.get<std::string>();
}

}  // namespace

Json to_json(const HostFacts& facts) {
  Json json = Json::object();
  each_field(facts, Writer{&json});
  if (!facts.kernel_parameters.empty()) json["kernel_parameters"] = facts.kernel_parameters;
  for (const auto& [flaw, state] : facts.mitigations) json["mitigations"][flaw] = state;
  for (const NicFacts& nic : facts.nics) {
    Json each = {{"name", nic.name}};
    each_nic_field(nic, Writer{&each});
    json["nics"].push_back(each);
  }
  for (const DriveFacts& drive : facts.drives) {
    Json each = {{"name", drive.name}};
    each_drive_field(drive, Writer{&each});
    json["drives"].push_back(each);
  }
  return json;
}

HostFacts host_facts_from_json(const Json& json, const std::string& where) {
  HostFacts facts;
  Fields fields(json, where);
  each_field(facts, Reader{&fields});
  facts.kernel_parameters = list_from<std::string>(&fields, "kernel_parameters", text_from);
  facts.nics = list_from<NicFacts>(&fields, "nics", nic_from_json);
  facts.drives = list_from<DriveFacts>(&fields, "drives", drive_from_json);
  if (const Json* mitigations = fields.find("mitigations")) {
    if (!mitigations->is_object()) throw Error(ErrorKind::kInput, where + ".mitigations must be an object");
    for (const auto& [flaw, state] : mitigations->items())
      facts.mitigations[flaw] = text_from(state, where + ".mitigations." + flaw);
  }
  fields.finish();
  return facts;
}

}  // namespace osdtune
