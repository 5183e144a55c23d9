// SPDX-License-Identifier: Apache-2.0
// Reads a ceph.conf line by line: headers, names, values, and what Ceph would say to each.
#include "knowledge/ceph_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace osdtune {
namespace {

constexpr std::string_view kBlank = " \t\r\v\f";

bool is_blank(char c) {
  return kBlank.find(c) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool starts_comment(std::string_view text) {
  return !text.empty() && (text.front() == '#' || text.front() == ';');
}

/// A line of the file, with those it continues on.
struct Line {
  int number = 0;
  std::string text;
};

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  bool continued = false;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view piece = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (piece.ends_with('\r')) piece.remove_suffix(1);
    const bool goes_on = piece.ends_with('\\') && (continued || !starts_comment(trimmed(piece)));
    if (goes_on) piece.remove_suffix(1);
    if (continued)
      lines.back().text += piece;
    else
      lines.push_back({number, std::string(piece)});
    continued = goes_on;
  }
  return lines;
}

/// Reads one file; the state is the section that is open and where each name was set.
class Reader {
 public:
  explicit Reader(const std::string& file) { conf_.file = file; }

  CephConf read(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) {
      problem(ConfProblemKind::kRefused, 1, 1,
              "the file starts with a byte order mark, which Ceph takes for text");
      text.remove_prefix(3);
    }
    for (const Line& line : split_lines(text)) read_line(line);
    check_end(text);
    return std::move(conf_);
  }

 private:
  void problem(ConfProblemKind kind, int line, std::size_t column, std::string what) {
    conf_.problems.push_back({kind, line, static_cast<int>(column), std::move(what)});
  }

  void read_line(const Line& line) {
    const std::string_view text = trimmed(line.text);
    if (text.empty() && !line.text.empty() && !conf_.has_sections && conf_.settings.empty())
      problem(ConfProblemKind::kRefused, line.number, 1,
              "Octopus and later refuse a line of blanks before the first section header");
    if (text.empty() || starts_comment(text)) return;
    if (text.front() == '[')
      read_header(line, text);
    else
      read_setting(line, text);
  }

  void read_header(const Line& line, std::string_view text) {
    const std::size_t column = line.text.find('[') + 1;
    if (column > 1)
      problem(ConfProblemKind::kRefused, line.number, column,
              "Octopus and later refuse an indented section header; write it at the start of the line");
    const auto close = text.find(']');
    if (close == std::string_view::npos)
      problem(ConfProblemKind::kRefused, line.number, line.text.size() + 1,
              "the section header has no \"]\"");
    if (!conf_.has_sections && !conf_.settings.empty()) refuse_headless(line);
    section_ = std::string(text.substr(1, close == std::string_view::npos ? close : close - 1));
    conf_.has_sections = true;
    if (close != std::string_view::npos) check_rest(line, text.substr(close + 1));
    if (!is_section(section_)) explain_section(line, column);
  }

  /// A setting may stand before all headers only if it is the first line and nothing but comments follows.
  void refuse_headless(const Line& line) {
    if (std::exchange(headless_said_, true)) return;
    problem(
        ConfProblemKind::kRefused, line.number, 1,
        "Octopus and later refuse settings before the first section header; they are read here as [global]");
  }

  void explain_section(const Line& line, std::size_t column) {
    const std::string written = std::exchange(section_, normal_section(section_));
    if (is_section(section_))
      problem(ConfProblemKind::kIgnored, line.number, column,
              fmt::format("no daemon reads section [{}]; it is read here as [{}]", written, section_));
    else
      problem(ConfProblemKind::kIgnored, line.number, column,
              fmt::format("no daemon reads section [{}]", written));
  }

  static std::string normal_section(std::string_view written) {
    std::string name(trimmed(written));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
  }

  void check_rest(const Line& line, std::string_view rest) {
    rest = trimmed(rest);
    if (!rest.empty() && !starts_comment(rest))
      problem(ConfProblemKind::kRefused, line.number, line.text.find(rest) + 1,
              fmt::format("expected the end of the line instead of \"{}\"", rest));
  }

  void read_setting(const Line& line, std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) {
      problem(ConfProblemKind::kRefused, line.number, line.text.find(text) + 1,
              fmt::format("expected \"name = value\" instead of \"{}\"; the line is skipped", text));
      return;
    }
    const std::string name = read_name(line, trimmed(text.substr(0, equals)));
    if (name.empty()) return;
    if (!conf_.has_sections && (line.number > 1 || !conf_.settings.empty())) refuse_headless(line);
    add({section_, name, read_value(line, trimmed(text.substr(equals + 1))), line.number});
  }

  std::string read_name(const Line& line, std::string_view written) {
    const std::size_t column = written.empty() ? 1 : line.text.find(written) + 1;
    if (written.empty()) {
      problem(ConfProblemKind::kRefused, line.number, column,
              "expected a name before \"=\"; the line is skipped");
      return "";
    }
    const std::string name = normal_option_name(written);
    const bool dashed = written.find('-') != std::string_view::npos;
    const bool other =
        written.find_first_of("\"'") != std::string_view::npos ||
        std::any_of(written.begin(), written.end(), [](unsigned char c) { return std::isupper(c); });
    if (dashed || other)
      problem(ConfProblemKind::kIgnored, line.number, column,
              fmt::format("Ceph does not read \"{}\" in a file; it is read here as {}", written, name));
    return name;
  }

  std::string read_value(const Line& line, std::string_view written) {
    if (written.empty()) return "";
    if (written.front() == '"' || written.front() == '\'') return read_quoted(line, written);
    std::string value;
    for (std::size_t at = 0; at < written.size(); ++at) {
      if (written[at] == '\\' && at + 1 < written.size()) {
        value += written[++at];
        continue;
      }
      if (written[at] == '#' || written[at] == ';') {
        note_cut(line, written, at);
        break;
      }
      value += written[at];
    }
    return std::string(trimmed(value));
  }

  void note_cut(const Line& line, std::string_view written, std::size_t at) {
    if (at == 0 || is_blank(written[at - 1])) return;
    problem(
        ConfProblemKind::kNote, line.number, line.text.find(written) + at + 1,
        fmt::format(
            "\"{}\" starts a comment here, so the value ends before it; write \"\\{}\" if it belongs to it",
            written[at], written[at]));
  }

  std::string read_quoted(const Line& line, std::string_view written) {
    const char quote = written.front();
    std::string value;
    for (std::size_t at = 1; at < written.size(); ++at) {
      if (written[at] == quote) {
        check_rest(line, written.substr(at + 1));
        return value;
      }
      if (written[at] == '\\' && at + 1 < written.size()) ++at;
      value += written[at];
    }
    problem(ConfProblemKind::kRefused, line.number, line.text.size() + 1,
            fmt::format("expected a closing {}; the rest of the line is taken as the value", quote));
    return value;
  }

  void add(ConfSetting setting) {
    const auto [where, is_new] = lines_.try_emplace({setting.section, setting.name}, setting.line);
    if (!is_new)
      problem(ConfProblemKind::kDuplicate, setting.line, 1,
              fmt::format("{} was set in [{}] on line {} already; the last one counts, \"{}\"", setting.name,
                          setting.section, std::exchange(where->second, setting.line), setting.value));
    conf_.settings.push_back(std::move(setting));
  }

  void check_end(std::string_view text) {
    if (text.empty() || text.ends_with('\n')) return;
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    problem(ConfProblemKind::kRefused, static_cast<int>(lines), text.size() - (text.rfind('\n') + 1) + 1,
            "the last line has no newline at its end: Octopus to 16.2.15 refuse the file");
  }

  CephConf conf_;
  std::string section_ = "global";
  bool headless_said_ = false;
  std::map<std::pair<std::string, std::string>, int> lines_;
};

}  // namespace

CephConf read_ceph_conf(std::string_view text, const std::string& file) {
  return Reader(file).read(text);
}

std::string normal_option_name(std::string_view name) {
  std::string normal;
  for (const char c : trimmed(name)) {
    if (c == '"' || c == '\'') continue;
    const bool separator = is_blank(c) || c == '-' || c == '_';
    if (separator && (is_blank(c) || c == '-') && normal.ends_with('_')) continue;
    normal += separator ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return normal;
}

bool is_section(std::string_view section) {
  constexpr std::array<std::string_view, 6> kTypes = {"global", "mon", "mgr", "osd", "mds", "client"};
  const auto dot = section.find('.');
  const std::string_view type = section.substr(0, dot);
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) return false;
  return dot == std::string_view::npos || (type != "global" && dot + 1 < section.size());
}

}  // namespace osdtune
