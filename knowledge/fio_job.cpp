// SPDX-License-Identifier: Apache-2.0
// Reads fio job files and the options in fio's JSON results.
#include "knowledge/fio_job.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace osdtune {
namespace {

using Options = std::map<std::string, std::string>;

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

struct JobSection {
  std::string name;
  Options options;
  int line = 0;
};

/// Other spellings of one fio option.
std::string fio_name(const std::string& written) {
  static const std::map<std::string, std::string> kAliases = {
      {"readwrite", "rw"}, {"blocksize", "bs"}, {"block_size", "bs"}};
  const auto found = kAliases.find(written);
  return found == kAliases.end() ? written : found->second;
}

std::vector<JobSection> sections_of(std::string_view text) {
  std::vector<JobSection> sections;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = trimmed(text.substr(at, end - at));
    at = end + 1;
    ++number;
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[' && line.back() == ']') {
      sections.push_back({line.substr(1, line.size() - 2), {}, number});
    } else if (!sections.empty()) {
      const auto equals = line.find('=');
      const std::string name = fio_name(trimmed(line.substr(0, equals)));
      sections.back().options[name] =
          equals == std::string::npos ? "1" : trimmed(std::string_view(line).substr(equals + 1));
    }
  }
  return sections;
}

void add_load(std::string name, Options options, Place place, Facts* facts) {
  facts->loads.push_back({std::move(name), std::move(options), std::move(place)});
}

}  // namespace

bool looks_like_fio_job(std::string_view text) {
  for (const JobSection& section : sections_of(text))
    if (section.options.contains("ioengine") || section.options.contains("rw")) return true;
  return false;
}

void add_fio_job(std::string_view text, const std::string& file, Facts* facts) {
  Options inherited;
  for (const JobSection& section : sections_of(text)) {
    Options options = inherited;
    for (const auto& [name, value] : section.options) options[name] = value;
    if (section.name == "global")
      inherited = options;
    else
      add_load(section.name, options, {file, section.line}, facts);
  }
}

void add_fio_result(const Json& json, const std::string& file, Facts* facts) {
  const auto read = [](const Json& from, Options* options) {
    if (!from.is_object()) return;
    for (const auto& [name, value] : from.items())
      (*options)[fio_name(name)] = value.is_string() ? value.get<std::string>() : value.dump();
  };
  Options inherited;
  if (json.contains("global options")) read(json.at("global options"), &inherited);
  for (const char* key : {"jobs", "client_stats"}) {
    if (!json.contains(key) || !json.at(key).is_array()) continue;
    for (const Json& job : json.at(key)) {
      if (!job.is_object()) continue;
      Options options = inherited;
      if (job.contains("job options")) read(job.at("job options"), &options);
      if (job.contains("job_runtime") && job.at("job_runtime").is_number())
        options["ran_s"] = std::to_string(job.at("job_runtime").get<double>() / 1000);
      const bool named = job.contains("jobname") && job.at("jobname").is_string();
      add_load(named ? job.at("jobname").get<std::string>() : "job", options, {file, 0}, facts);
    }
  }
}

}  // namespace osdtune
