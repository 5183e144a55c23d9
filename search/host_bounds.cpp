// SPDX-License-Identifier: Apache-2.0
// Sums over the OSDs of a host, written as products of the settings that the space moves.
#include "search/host_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "search/resolve.hpp"

namespace osdtune {
namespace {

constexpr double kThreadsPerCpu = 8;
constexpr double kMemoryShare = 0.8;
constexpr double kGib = 1024.0 * 1024 * 1024;

/// The sum over all OSDs of products of options: what the space does not move becomes part of the
/// coefficient.
class OsdSum {
 public:
  /// `unit`: what the options are counted in.
  OsdSum(const Space& space, const OptionSource& source, double unit = 1)
      : space_(space), source_(source), unit_(unit) {}

  void add(const std::vector<std::string>& options) {
    KnownConstraint::Term term{.coefficient = source_.host->osds / unit_, .settings = {}};
    double found = term.coefficient;
    for (const auto& name : options) {
      const Setting* moved = find(name);
      const double value = number(moved ? to_text(moved->default_value) : source_.found(name));
      found *= value;
      if (moved)
        term.settings.push_back(name);
      else
        term.coefficient *= value;
    }
    moves_ = moves_ || !term.settings.empty();
    if (find(kOsdsPerDevice)) {
      term.settings.emplace_back(kOsdsPerDevice);
      term.coefficient /= source_.osds_per_device.value_or(1);
    }
    found_ += found;
    terms_.push_back(std::move(term));
  }

  /// Nothing if the space does not move the sum.
  std::optional<KnownConstraint> bound(const std::string& name, double limit) const {
    if (!moves_ && !find(kOsdsPerDevice)) return std::nullopt;
    return KnownConstraint{name, terms_, std::max(limit, found_)};
  }

 private:
  static double number(const std::string& text) { return to_number(text).value_or(0); }
  const Setting* find(const std::string& name) const {
    const auto it = std::find_if(space_.settings.begin(), space_.settings.end(),
                                 [&](const Setting& setting) { return setting.name == name; });
    return it == space_.settings.end() ? nullptr : &*it;
  }

  const Space& space_;
  const OptionSource& source_;
  double unit_;
  std::vector<KnownConstraint::Term> terms_;
  double found_ = 0;
  bool moves_ = false;
};

/// Calls visit(setting, sum) for each listed value of each setting in `bound`, the others as in `rest`.
template <class Visit>
void for_listed(const Space& space, const KnownConstraint& bound, const Config& rest, Visit visit) {
  for (const auto& setting : space.settings)
    for (const auto& value : setting.values) {
      Config config = rest;
      config[setting.name] = value;
      if (const auto sum = left_side(bound, config)) visit(setting.name, value, *sum);
    }
}

void allow_listed(const Space& space, KnownConstraint& bound) {
  double most = bound.limit;
  for_listed(space, bound, default_config(space),
             [&](const std::string&, const Value&, double sum) { most = std::max(most, sum); });
  bound.limit = most;
}

/// Every coefficient is positive, so the smallest values are the ones that leave most room.
Config smallest_config(const Space& space) {
  Config config = default_config(space);
  for (const auto& setting : space.settings) {
    if (setting.kind != SettingKind::kInteger && setting.kind != SettingKind::kReal) continue;
    if (!setting.values.empty())
      config[setting.name] = setting.values.front();
    else
      config[setting.name] = setting.low;
  }
  return config;
}

void refuse_impossible(const Space& space, const KnownConstraint& bound) {
  for_listed(
      space, bound, smallest_config(space), [&](const std::string& name, const Value& value, double sum) {
        if (sum <= bound.limit) return;
        throw Error(
            ErrorKind::kInput,
            fmt::format("{}: {} cannot be tried: {}, would be at least {}, and this host bears {}", name,
                        to_text(value), bound.name, format_number(sum), format_number(bound.limit)),
            "take the value out of the plan");
      });
}

}  // namespace

std::vector<KnownConstraint> host_bounds(const Space& space, const OptionSource& source) {
  std::vector<KnownConstraint> out;
  if (!source.host || source.host->osds == 0) return out;
  if (source.host->cpus) {
    OsdSum threads(space, source);
    threads.add({"osd_op_num_shards", "osd_op_num_threads_per_shard"});
    threads.add({"ms_async_op_threads"});
    if (auto bound = threads.bound("threads of all OSDs", kThreadsPerCpu * *source.host->cpus)) {
      allow_listed(space, *bound);
      out.push_back(std::move(*bound));
    }
  }
  if (source.host->memory_bytes) {
    OsdSum memory(space, source, kGib);
    memory.add({"osd_memory_target"});
    if (auto bound = memory.bound("memory targets of all OSDs, in GiB",
                                  kMemoryShare * *source.host->memory_bytes / kGib)) {
      refuse_impossible(space, *bound);
      out.push_back(std::move(*bound));
    }
  }
  return out;
}

}  // namespace osdtune
