// SPDX-License-Identifier: Apache-2.0
// Puts together what catalogue and graph know of one option.
#include "advisor/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "knowledge/ceph_conf.hpp"

namespace osdtune {
namespace {

constexpr std::array<const char*, 12> kReleases = {"16.2.0", "17.2.0", "17.2.7", "18.2.0",
                                                   "18.2.4", "18.2.5", "19.2.0", "19.2.1",
                                                   "20.2.0", "20.2.4", "17.2.6", "16.2.15"};

[[noreturn]] void fail_unknown(const Catalogue& catalogue, const std::string& name,
                               const std::string& release) {
  if (find_option_anywhere(catalogue, name))
    throw Error(ErrorKind::kInput,
                fmt::format("Ceph {} has no option {}, other releases have", release, name),
                "leave --release out to see them");
  if (is_known(catalogue, name))
    throw Error(ErrorKind::kInput,
                fmt::format("{} is an option of another daemon, about which nothing is known here", name),
                "try 'ceph config help " + name + "'");
  std::vector<std::string> names = option_names(catalogue, parse_release("20.2"));
  const std::string nearest = nearest_name(name, names);
  throw Error(ErrorKind::kInput, fmt::format("no release of Ceph has an option {}", name),
              nearest.empty() ? "see 'ceph config ls'" : "did you mean " + nearest + "?");
}

std::vector<std::pair<std::string, std::string>> history(const Catalogue& catalogue,
                                                         const std::string& name) {
  std::vector<std::string> releases(kReleases.begin(), kReleases.end());
  std::sort(releases.begin(), releases.end(),
            [](const auto& a, const auto& b) { return parse_release(a) < parse_release(b); });
  std::vector<std::pair<std::string, std::string>> changes;
  for (const std::string& release : releases) {
    const auto option = find_option(catalogue, name, release);
    const std::string value = option ? option->default_value : "(absent)";
    if (changes.empty() || changes.back().second != value) changes.emplace_back(release, value);
  }
  return changes;
}

std::string thread_range(const Option& option, const HostFacts& host) {
  const bool shards = option.name.starts_with("osd_op_num_shards");
  if (!host.threads || (!shards && option.name != "ms_async_op_threads")) return "";
  const double highest = option.search && option.search->high > 0 ? option.search->high : 16;
  const double most = std::min(std::max(std::ceil(*host.threads), shards ? 2.0 : 3.0), highest);
  return fmt::format("1 to {} with {} CPU threads and one OSD; less with several OSDs", format_number(most),
                     format_number(*host.threads));
}

std::string memory_range(const Option& option, const HostFacts& host) {
  if (option.name != "osd_memory_target" || !host.memory_bytes) return "";
  return fmt::format("{} to {} in all: 80 % of {} for all OSDs of the host together",
                     format_size(option.min.value_or(0)), format_size(*host.memory_bytes * 0.8),
                     format_size(*host.memory_bytes));
}

std::string range_text(const Option& option) {
  if (!option.search) return "";
  if (!option.search->values.empty()) {
    std::vector<std::string> values;
    for (const Value& value : option.search->values) values.push_back(to_text(value));
    return fmt::format("one of {}", fmt::join(values, ", "));
  }
  const bool bytes = option.unit == "bytes";
  const auto text = [&](double number) { return bytes ? format_size(number) : format_number(number); };
  return fmt::format("{} to {}", text(option.search->low), text(option.search->high));
}

std::string safe_range(const Option& option, const HostFacts& host) {
  if (!is_searchable(option)) return "";
  for (const std::string& text : {thread_range(option, host), memory_range(option, host)})
    if (!text.empty()) return text;
  return range_text(option);
}

}  // namespace

Explanation explain_option(const std::string& written, const std::string& release, const HostFacts& host) {
  const Catalogue catalogue = load_catalogue();
  const std::string name = normal_option_name(written);
  const std::optional<Option> option =
      release.empty() ? find_option_anywhere(catalogue, name) : find_option(catalogue, name, release);
  if (!option) fail_unknown(catalogue, name, release);
  Explanation explanation{.option = *option, .release = release, .defaults = history(catalogue, name)};
  const Release at = parse_release(release.empty() ? "20.2" : release);
  const auto hdd = default_for(catalogue, name, at, "hdd");
  const auto ssd = default_for(catalogue, name, at, "ssd");
  if (hdd && *hdd != option->default_value) explanation.default_hdd = hdd;
  if (ssd && *ssd != option->default_value) explanation.default_ssd = ssd;
  const KnowledgeGraph graph(catalogue);
  explanation.ways = graph.ways_to_metrics("option:" + name);
  explanation.interacts = graph.interacting_options(name);
  explanation.safe_range = safe_range(*option, host);
  return explanation;
}

std::string explanation_dot(const std::string& written) {
  const Catalogue catalogue = load_catalogue();
  if (written.empty()) return KnowledgeGraph(catalogue).dot("", 0);
  const std::string name = normal_option_name(written);
  if (!find_option_anywhere(catalogue, name)) fail_unknown(catalogue, name, "");
  return KnowledgeGraph(catalogue).dot("option:" + name, 3);
}

}  // namespace osdtune
