// SPDX-License-Identifier: Apache-2.0
// From fio's text to plain numbers: finds the document, knows the shapes, refuses what is not there.
#include "search/workload/fio_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "core/json_file.hpp"

namespace osdtune {
namespace {

constexpr std::size_t kMaxWarnings = 20;  ///< a failing disk makes fio repeat itself thousands of times

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, what),
              "give the unchanged output of fio --output-format=json or json+");
}

/// Offset of the first line that begins with '{', or npos.
std::size_t find_document(std::string_view text) {
  if (text.starts_with('{')) return 0;
  const auto at = text.find("\n{");
  return at == std::string_view::npos ? at : at + 1;
}

/// Length of the JSON object at the start of `text`; all of `text` if it does not end.
std::size_t object_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return i + 1;
  }
  return text.size();
}

void add_lines(std::vector<std::string>* lines, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) lines->emplace_back(line);
  }
}

std::vector<std::string> text_around(std::string_view before, std::string_view after) {
  std::vector<std::string> lines;
  add_lines(&lines, before);
  add_lines(&lines, after);
  if (lines.size() > kMaxWarnings) {
    const auto dropped = lines.size() - kMaxWarnings;
    lines.resize(kMaxWarnings);
    lines.push_back(fmt::format("({} more lines)", dropped));
  }
  return lines;
}

/// Nothing that fio counts, in any of its units, comes near this; larger numbers would overflow in sums.
constexpr double kMaxAmount = 1e18;

/// A number that is there, not negative and believable.
double amount(Fields* fields, const std::string& key) {
  const double value = fields->number(key);
  if (value < 0 || value > kMaxAmount) refuse(fields->where(), fmt::format("\"{}\" is {}", key, value));
  return value;
}

double amount_or(Fields* fields, const std::string& key, double fallback) {
  return fields->find(key) != nullptr ? amount(fields, key) : fallback;
}

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 0 && value <= kMaxAmount ? std::optional(value) : std::nullopt;
}

std::optional<double> to_number(const Json& json) {
  if (json.is_string()) return to_number(std::string_view(json.get_ref<const std::string&>()));
  if (!json.is_number()) return std::nullopt;
  const double value = json.get<double>();
  return value >= 0 && value <= kMaxAmount ? std::optional(value) : std::nullopt;
}

/// {"95.000000": 604, ...}; fio 2.x fills up with "0.00" entries, which mean nothing.
std::map<double, double> read_percentiles(const Json& json, const std::string& where, double to_ms) {
  if (!json.is_object()) refuse(where, "expected an object of percentiles");
  std::map<double, double> result;
  for (const auto& [key, value] : json.items()) {
    const auto per_cent = to_number(std::string_view(key));
    const auto latency = to_number(value);
    if (!per_cent || *per_cent > 100 || !latency)
      refuse(where, fmt::format("\"{}\": {} is not a percentile", key, value.dump()));
    if (*per_cent > 0) result[*per_cent] = *latency * to_ms;
  }
  return result;
}

/// fio 3.x names a bin by its value; fio 2.x by its index, with the resolution beside it, and writes empty
/// ones too.
std::map<double, double> read_bins(const Json& json, const std::string& where, double to_ms) {
  if (!json.is_object()) refuse(where, "expected an object of bins");
  const auto bits = json.find("FIO_IO_U_PLAT_BITS");
  const bool indexed = bits != json.end();
  if (indexed && (!bits->is_number_unsigned() || bits->get<unsigned>() > 16))
    refuse(where, fmt::format("FIO_IO_U_PLAT_BITS is {}", bits->dump()));
  std::map<double, double> result;
  for (const auto& [key, value] : json.items()) {
    if (key.starts_with("FIO_IO_U_")) continue;
    const auto name = to_number(std::string_view(key));
    const auto count = to_number(value);
    const auto middle =
        name && indexed ? fio_bin_value(static_cast<std::uint64_t>(*name), bits->get<unsigned>()) : name;
    if (!middle || *middle > kMaxAmount || !count)
      refuse(where, fmt::format("\"{}\": {} is not a bin", key, value.dump()));
    if (*count > 0) result[*middle * to_ms] += *count;
  }
  return result;
}

std::optional<FioLatency> read_latency(const Json& json, const std::string& where, double operations,
                                       double to_ms) {
  Fields fields(json, where);
  FioLatency latency{.mean_ms = amount_or(&fields, "mean", 0) * to_ms};
  latency.count = amount_or(&fields, "N", latency.mean_ms > 0 ? operations : 0);
  if (latency.count == 0 || latency.mean_ms == 0) return std::nullopt;  // not measured, which is not zero
  if (const Json* found = fields.find("percentile"))
    latency.percentile_ms = read_percentiles(*found, where + ".percentile", to_ms);
  if (const Json* found = fields.find("bins")) latency.bins = read_bins(*found, where + ".bins", to_ms);
  return latency;
}

/// Completion latency; where the job file turned that off, the total latency.
std::optional<FioLatency> find_latency(Fields* direction, double operations) {
  static constexpr struct {
    const char* name;
    double to_ms;
  } kSections[] = {{"clat_ns", 1e-6}, {"clat", 1e-3}, {"lat_ns", 1e-6}, {"lat", 1e-3}};
  std::optional<FioLatency> first;
  for (const auto& section : kSections) {
    const Json* json = direction->find(section.name);
    if (json == nullptr) continue;
    auto latency = read_latency(*json, fmt::format("{}.{}", direction->where(), section.name), operations,
                                section.to_ms);
    if (!latency) continue;
    // lat_percentiles=1 moves the percentiles from one section to the other.
    if (!latency->percentile_ms.empty() || !latency->bins.empty()) return latency;
    if (!first) first = std::move(latency);
  }
  return first;
}

std::optional<FioDirection> read_direction(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FioDirection direction{.iops = amount(&fields, "iops"), .runtime_s = amount(&fields, "runtime") / 1000};
  direction.bandwidth =
      fields.find("bw_bytes") != nullptr ? amount(&fields, "bw_bytes") : amount(&fields, "bw") * 1024;
  // Before 2.2 fio did not count operations.
  direction.operations = amount_or(&fields, "total_ios", direction.iops * direction.runtime_s);
  if (direction.operations == 0) return std::nullopt;
  direction.latency = find_latency(&fields, direction.operations);
  return direction;
}

/// An option of the job, or of all jobs; null if fio did not write it down (it does so since 2.6).
Json option(const Json& job, const Json& globals, const std::string& name) {
  const auto own = job.find("job options");
  if (own != job.end() && own->is_object() && own->contains(name)) return (*own)[name];
  return globals.is_object() && globals.contains(name) ? globals[name] : Json();
}

/// fio asks the kernel for the CPU time of its own threads (RUSAGE_THREAD). Those of librbd and librados,
/// which do most of the work, are not among them: measured with fio 3.33, 2 % of a core instead of 19 %.
bool works_in_own_threads(const Json& job, const Json& globals) {
  const Json engine = option(job, globals, "ioengine");
  return engine.is_string() && engine != "rbd" && engine != "rados";
}

/// fio gives CPU in per cent of the run times of all jobs of the group added up.
void read_cpu(Fields* fields, const Json& json, const Json& globals, FioJob* job) {
  if (fields->find("usr_cpu") == nullptr || fields->find("sys_cpu") == nullptr) return;
  job->thread_cpu = (amount(fields, "usr_cpu") + amount(fields, "sys_cpu")) / 100;
  if (!works_in_own_threads(json, globals)) return;
  double runtime_s = 0;
  for (const auto& direction : job->directions) runtime_s = std::max(runtime_s, direction.runtime_s);
  const Json numjobs = option(json, globals, "numjobs");
  const auto count = numjobs.is_null() ? 1.0 : to_number(numjobs);
  if (fields->find("job_runtime") != nullptr)
    job->cpu_seconds = *job->thread_cpu * amount(fields, "job_runtime") / 1000;
  else if (count)
    job->cpu_seconds = *job->thread_cpu * *count * runtime_s;
}

FioJob read_job(const Json& json, const std::string& where, const Json& globals) {
  Fields fields(json, where);
  FioJob job{.name = fields.text("jobname"),
             .host = fields.text("hostname", ""),
             .group = fields.integer("groupid", 0),
             .error = fields.integer("error", 0)};
  bool any = false;
  for (const char* name : {"read", "write", "mixed"}) {
    const Json* found = fields.find(name);
    if (found == nullptr) continue;
    any = true;
    // unified_rw_reporting=both gives the sum beside its parts.
    if (name == std::string_view("mixed") && !job.directions.empty()) continue;
    auto direction = read_direction(*found, fmt::format("{}.{}", where, name));
    if (direction) job.directions.push_back(std::move(*direction));
  }
  if (!any) refuse(where, "neither \"read\" nor \"write\" nor \"mixed\" is there");
  read_cpu(&fields, json, globals, &job);
  return job;
}

}  // namespace

double fio_bin_value(std::uint64_t index, unsigned bits) {
  const std::uint64_t per_group = std::uint64_t{1} << bits;
  if (index < 2 * per_group) return static_cast<double>(index);
  const std::uint64_t shift = index / per_group - 1;
  const double base = std::ldexp(1.0, static_cast<int>(std::min<std::uint64_t>(shift + bits, 1000)));
  const double width = std::ldexp(1.0, static_cast<int>(std::min<std::uint64_t>(shift, 1000)));
  return base + (static_cast<double>(index % per_group) + 0.5) * width;
}

FioResult parse_fio_json(std::string_view text, const std::string& source) {
  const std::size_t start = find_document(text);
  if (start == std::string_view::npos) {
    const auto words = text_around(text.substr(0, 2000), "");
    refuse(source, words.empty() ? "is empty" : "holds no JSON; it begins: " + words.front());
  }
  const std::size_t length = object_length(text.substr(start));
  const auto before = text.substr(0, start);
  FioResult result{.source = source, .warnings = text_around(before, text.substr(start + length))};
  // Empty lines in place of the text before keep the line numbers of messages true.
  const auto skipped = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  // fio 2.x fills its lists of percentiles up with the same key again and again.
  const Json json =
      parse_json(std::string(skipped, '\n').append(text.substr(start, length)), source, Twins::kKeepLast);

  Fields fields(json, source);
  result.version = fields.text("fio version", "");
  static const Json kNone;
  const Json* globals = fields.find("global options");
  const bool clients = fields.find("client_stats") != nullptr;
  const char* key = clients ? "client_stats" : "jobs";
  const Json& jobs = fields.require(key);
  if (!jobs.is_array()) refuse(source, fmt::format("\"{}\" is not a list", key));
  for (std::size_t i = 0; i < jobs.size(); ++i)
    result.jobs.push_back(
        read_job(jobs[i], fmt::format("{}: {}[{}]", source, key, i), globals != nullptr ? *globals : kNone));
  const auto is_sum = [](const FioJob& job) { return job.name == "All clients"; };
  if (clients && !std::all_of(result.jobs.begin(), result.jobs.end(), is_sum))
    std::erase_if(result.jobs, is_sum);
  return result;
}

}  // namespace osdtune
