// SPDX-License-Identifier: Apache-2.0
// From facts to advice: what is wrong, what has no effect, what is dangerous, what is worth a try.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json_file.hpp"
#include "knowledge/facts.hpp"
#include "knowledge/finding.hpp"

namespace osdtune {

/// Everything `advise` has to say.
struct Advice {
  std::string about;               ///< "ceph.conf", "Ceph 18.2.7, 12 OSDs on 3 hosts"
  std::vector<Finding> findings;   ///< worst first
  std::vector<std::string> lines;  ///< problems of configuration files, with file, line and column
  std::vector<std::string> notes;  ///< input that was not used, and what more input would show
  std::vector<std::string> sweep;  ///< settings worth a sweep, most often named first
};

Advice advise(const Facts& facts);

/// Number of findings of a severity; folded ones are not counted.
std::size_t count(const Advice& advice, Severity severity);

/// The worst severity found; nullopt if nothing was.
std::optional<Severity> worst(const Advice& advice);

/// "osd.0-3, osd.7 (5 OSDs)": subjects as short as they can be read.
std::string short_subjects(const std::vector<std::string>& subjects, std::size_t most);

/// For people: one line and what to do for each finding; with reasons, numbers and sources if `verbose`.
std::string advice_text(const Advice& advice, bool verbose);

/// The release a configuration has to be read for is unknown: what that hides.
Json to_json(const Advice& advice);

/// A plan for the settings worth a sweep, within bounds for the cores and memory of the hosts. Throws
/// Error{kInput} if the facts name a release the catalogue does not have.
Json sweep_plan(const Advice& advice, const Facts& facts);

}  // namespace osdtune
