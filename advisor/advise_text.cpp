// SPDX-License-Identifier: Apache-2.0
// Advice for people: short by default, everything if asked for.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "advisor/advise.hpp"

namespace osdtune {
namespace {

constexpr std::size_t kWidth = 100;

/// Words broken into lines, each after `indent` blanks.
std::string wrapped(const std::string& text, std::size_t indent, const std::string& first = "") {
  std::string out, line = std::string(indent - std::min(indent, first.size()), ' ') + first;
  std::size_t at = 0;
  bool empty = true;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!empty && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line = std::string(indent, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return out + line + "\n";
}

std::optional<int> osd_number(const std::string& subject) {
  int id = 0;
  if (!subject.starts_with("osd.")) return std::nullopt;
  const auto [end, error] = std::from_chars(subject.data() + 4, subject.data() + subject.size(), id);
  if (error != std::errc() || end != subject.data() + subject.size()) return std::nullopt;
  return id;
}

std::string range_text(int low, int high) {
  return low == high ? fmt::format("osd.{}", low) : fmt::format("osd.{}-{}", low, high);
}

std::vector<std::string> ranges_of(std::vector<int> ids) {
  std::sort(ids.begin(), ids.end());
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    ranges.push_back(range_text(ids[i], ids[last]));
    i = last + 1;
  }
  return ranges;
}

std::string first_of(const std::vector<std::string>& items, std::size_t most) {
  const std::size_t shown = std::min(most, items.size());
  std::string text =
      fmt::format("{}", fmt::join(items.begin(), items.begin() + static_cast<long>(shown), ", "));
  if (items.size() > shown) text += fmt::format(" and {} more", items.size() - shown);
  return text;
}

std::string where_text(const Finding& finding, bool verbose) {
  const std::size_t most = verbose ? 20 : 3;
  if (!finding.places.empty()) return first_of(finding.places, most);
  return short_subjects(finding.subjects, most);
}

void add_line(std::string* out, const std::string& label, const std::string& text) {
  if (!text.empty()) *out += wrapped(text, 14, fmt::format("{:<10}", label));
}

/// "On 17.2 and later: " where the finding is not for all releases.
std::string release_text(const std::vector<std::string>& releases) {
  if (releases.empty()) return "";
  const auto first = std::find(kReleaseSeries.begin(), kReleaseSeries.end(), releases.front());
  const auto end = std::min(first + static_cast<std::ptrdiff_t>(releases.size()), kReleaseSeries.end());
  if (releases.size() == 1 || !std::equal(releases.begin(), releases.end(), first, end))
    return fmt::format("On {}: ", fmt::join(releases, ", "));
  if (first == kReleaseSeries.begin()) return fmt::format("Up to {}: ", releases.back());
  if (end == kReleaseSeries.end()) return fmt::format("On {} and later: ", releases.front());
  return fmt::format("On {} to {}: ", releases.front(), releases.back());
}

std::string headline(const Finding& finding, bool verbose) {
  return fmt::format("{}{} ({})", release_text(finding.releases), finding.text, where_text(finding, verbose));
}

std::string finding_text(const Finding& finding, bool verbose) {
  std::string out = wrapped(headline(finding, verbose), 4, "- ");
  for (const std::string& each : finding.also) out += wrapped(each, 4, "- ");
  if (finding.severity != Severity::kInfo && !verbose) out += wrapped(finding.advice, 6);
  if (!verbose) {
    if (!finding.folded.empty())
      out +=
          wrapped(fmt::format("With it go {} more of the same cause (--verbose).", finding.folded.size()), 6);
    return out;
  }
  add_line(&out, "why", finding.why);
  add_line(&out, "do", finding.advice);
  add_line(&out, "expect", finding.effect);
  add_line(&out, "risk", finding.risk);
  add_line(&out, "costs", finding.cost == "none" ? "" : finding.cost);
  add_line(&out, "on", short_subjects(finding.subjects, 20));
  add_line(&out, "sources", fmt::format("{}; rule {}", fmt::join(finding.sources, ", "), finding.rule));
  for (const Finding& each : finding.folded) out += wrapped(headline(each, verbose), 8, "same cause: ");
  return out + "\n";
}

std::string heading(Severity severity) {
  switch (severity) {
    case Severity::kDanger:
      return "DANGER";
    case Severity::kWarning:
      return "WARNING";
    case Severity::kAdvice:
      return "ADVICE";
    case Severity::kInfo:
      return "WORTH KNOWING";
  }
  return "";
}

std::string summary(const Advice& advice) {
  std::string text = fmt::format("{} danger, {} warning, {} advice, {} info",
                                 count(advice, Severity::kDanger), count(advice, Severity::kWarning),
                                 count(advice, Severity::kAdvice), count(advice, Severity::kInfo));
  if (!advice.sweep.empty()) text += fmt::format("; worth a sweep: {}", fmt::join(advice.sweep, ", "));
  return text + "\n";
}

}  // namespace

std::string short_subjects(const std::vector<std::string>& subjects, std::size_t most) {
  std::vector<int> ids;
  std::vector<std::string> others;
  for (const std::string& subject : subjects) {
    if (const auto id = osd_number(subject))
      ids.push_back(*id);
    else
      others.push_back(subject);
  }
  std::vector<std::string> all = ranges_of(ids);
  all.insert(all.end(), others.begin(), others.end());
  std::string text = first_of(all, most);
  if (ids.size() > 2) text += fmt::format(" ({} OSDs)", ids.size());
  return text;
}

std::string advice_text(const Advice& advice, bool verbose) {
  std::string out = advice.about.empty() ? "" : advice.about + "\n";
  if (!advice.lines.empty()) out += "\nLINES\n";
  for (const std::string& line : advice.lines) out += wrapped(line, 4, "- ");
  for (const Severity severity :
       {Severity::kDanger, Severity::kWarning, Severity::kAdvice, Severity::kInfo}) {
    if (count(advice, severity) == 0) continue;
    out += "\n" + heading(severity) + "\n";
    for (const Finding& finding : advice.findings)
      if (finding.severity == severity) out += finding_text(finding, verbose);
  }
  if (!advice.notes.empty()) out += "\nNOT LOOKED AT\n";
  for (const std::string& note : advice.notes) out += wrapped(note, 4, "- ");
  return out + "\n" + summary(advice);
}

}  // namespace osdtune
