// SPDX-License-Identifier: Apache-2.0
// Sums over the OSDs of a host, written as products of the settings that the space moves.
#include "search/host_bounds.hpp"

#include <algorithm>

#include "search/resolve.hpp"

namespace osdtune {
namespace {

constexpr double kThreadsPerCpu = 8;
constexpr double kMemoryShare = 0.8;

/// The sum over all OSDs of products of options: what the space does not move becomes part of the
/// coefficient.
class OsdSum {
 public:
  OsdSum(const Space& space, const OptionSource& source) : space_(space), source_(source) {}

  void add(const std::vector<std::string>& options) {
    KnownConstraint::Term term{.coefficient = static_cast<double>(source_.host->osds), .settings = {}};
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

  void bound(const std::string& name, double limit, std::vector<KnownConstraint>* out) const {
    if (moves_ || find(kOsdsPerDevice)) out->push_back({name, terms_, std::max(limit, found_)});
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
  std::vector<KnownConstraint::Term> terms_;
  double found_ = 0;
  bool moves_ = false;
};

}  // namespace

std::vector<KnownConstraint> host_bounds(const Space& space, const OptionSource& source) {
  std::vector<KnownConstraint> out;
  if (!source.host || source.host->osds == 0) return out;
  if (source.host->cpus) {
    OsdSum threads(space, source);
    threads.add({"osd_op_num_shards", "osd_op_num_threads_per_shard"});
    threads.add({"ms_async_op_threads"});
    threads.bound("threads of all OSDs", kThreadsPerCpu * *source.host->cpus, &out);
  }
  if (source.host->memory_bytes) {
    OsdSum memory(space, source);
    memory.add({"osd_memory_target"});
    memory.bound("memory targets of all OSDs", kMemoryShare * *source.host->memory_bytes, &out);
  }
  return out;
}

}  // namespace osdtune
