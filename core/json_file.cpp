// SPDX-License-Identifier: Apache-2.0
// Reading and writing JSON and JSON Lines with care for crashes and for the reader of error messages.
#include "core/json_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/error.hpp"

namespace osdtune {
namespace {

std::string place(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, std::min(byte, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto last = before.rfind('\n');
  const auto column = byte - (last == std::string_view::npos ? 0 : last + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

/// The last part of nlohmann's message: what was expected.
std::string reason(const std::string& what) {
  const auto at = what.rfind(": ");
  const auto syntax = what.find("syntax error");
  return syntax != std::string::npos ? what.substr(syntax)
                                     : what.substr(at == std::string::npos ? 0 : at + 2);
}

void write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw std::system_error(errno, std::generic_category());
    data.remove_prefix(static_cast<std::size_t>(n));
  }
}

void sync_folder(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

[[noreturn]] void fail_io(const std::string& action, const std::filesystem::path& path, int code) {
  const char* hint = code == ENOSPC || code == EDQUOT
                         ? "free some space, then run the same command again: it continues"
                         : "";
  throw Error(ErrorKind::kInput, fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(code)),
              hint);
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

constexpr std::size_t kMaxDepth =
    100;  ///< no file of ours comes near; deeper ones would overflow the stack when copied

/// As it stands in a file. Text that is not UTF-8 is replaced, for messages must not fail.
std::string in_quotes(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A first pass over a text that only looks: depth, and keys that stand twice. (A callback of the second pass
/// could do the same, in time that grows with the square of the longest list.)
class Gate : public nlohmann::json_sax<Json> {
 public:
  Gate(const std::string& name, Twins twins) : name_(name), twins_(twins) {}
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(string_t& key) override {
    if (twins_ == Twins::kRefuse && !open_.back().insert(key).second)
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: the key {} stands twice in one object", name_, in_quotes(Json(key))),
                  "keep one of them");
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;  // the second pass says what is wrong
  }

 private:
  bool enter() {
    if (open_.size() >= kMaxDepth)
      throw Error(ErrorKind::kInput, fmt::format("{}: nested deeper than {} levels", name_, kMaxDepth));
    open_.emplace_back();
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }

  const std::string& name_;
  Twins twins_;
  std::vector<std::set<std::string>> open_;  ///< keys seen in each object or list that is open at this point
};

const char* kind_of(const Json& json) {
  return json.is_null() ? "null" : json.type_name();
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name, Twins twins) {
  constexpr const char* kHint = "correct the file at that place and try again";
  try {
    Gate gate(name, twins);
    Json::sax_parse(text, &gate, Json::input_format_t::json, true, true);
    return Json::parse(text, nullptr, true, true);
  } catch (const Json::parse_error& e) {
    const std::size_t byte = e.byte > 0 ? e.byte - 1 : 0;
    throw Error(ErrorKind::kInput, fmt::format("{}: {}: {}", name, place(text, byte), reason(e.what())),
                kHint);
  } catch (const Json::out_of_range& e) {  // a number such as 1e999: the library tells which, but not where
    const std::string_view what = e.what();
    const auto from = std::min(what.find('\''), what.size() - 1) + 1;
    const auto number = what.substr(from, what.find('\'', from) - from);
    const auto at = std::min(text.find(number), text.size());
    throw Error(ErrorKind::kInput,
                fmt::format("{}: {}: the number {} is too large", name, place(text, at), number), kHint);
  }
}

std::string load_text(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_io("open", path, errno);
  std::string text;
  std::vector<char> buffer(1 << 16);
  ssize_t n = 0;
  while ((n = ::read(fd, buffer.data(), buffer.size())) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int code = errno;
      ::close(fd);
      fail_io("read", path, code);
    }
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(fd);
  return text;
}

Json load_json(const std::filesystem::path& path) {
  return parse_json(load_text(path), path.string());
}

void save_text(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path temporary = path.string() + ".new";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) fail_io("write", path, errno);
  try {
    write_all(fd, text);
    if (::fsync(fd) != 0 && errno != EINVAL) throw std::system_error(errno, std::generic_category());
  } catch (const std::system_error& e) {
    ::close(fd);
    ::unlink(temporary.c_str());
    fail_io("write", path, e.code().value());
  }
  ::close(fd);
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail_io("write", path, errno);
  sync_folder(path);
}

Fields::Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object.is_object())
    throw Error(ErrorKind::kInput,
                fmt::format("{}: expected an object {{...}}, found {}", where_, kind_of(object)));
}

const Json* Fields::find(const std::string& key) {
  asked_.insert(key);
  const auto it = object_.find(key);
  return it == object_.end() ? nullptr : &*it;
}

const Json& Fields::require(const std::string& key) {
  if (const Json* json = find(key)) return *json;
  throw Error(ErrorKind::kInput, fmt::format("{}: the field \"{}\" is missing", where_, key));
}

std::string Fields::text(const std::string& key, std::optional<std::string> fallback) {
  if (fallback && !find(key)) return *fallback;
  const Json& json = require(key);
  if (!json.is_string())
    throw Error(ErrorKind::kInput,
                fmt::format("{}.{}: expected a string, found {}", where_, key, in_quotes(json)));
  return json.get<std::string>();
}

double Fields::number(const std::string& key, std::optional<double> fallback) {
  if (fallback && !find(key)) return *fallback;
  const Json& json = require(key);
  if (!json.is_number() || !std::isfinite(json.get<double>()))
    throw Error(ErrorKind::kInput,
                fmt::format("{}.{}: expected a number, found {}", where_, key, in_quotes(json)));
  return json.get<double>();
}

std::int64_t Fields::integer(const std::string& key, std::optional<std::int64_t> fallback) {
  if (fallback && !find(key)) return *fallback;
  const Json& json = require(key);
  if (!json.is_number_integer())
    throw Error(ErrorKind::kInput,
                fmt::format("{}.{}: expected a whole number, found {}", where_, key, in_quotes(json)));
  return json.get<std::int64_t>();
}

bool Fields::boolean(const std::string& key, std::optional<bool> fallback) {
  if (fallback && !find(key)) return *fallback;
  const Json& json = require(key);
  if (!json.is_boolean())
    throw Error(ErrorKind::kInput,
                fmt::format("{}.{}: expected true or false, found {}", where_, key, in_quotes(json)));
  return json.get<bool>();
}

void Fields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (asked_.contains(key)) continue;
    const std::string near = nearest_name(key, {asked_.begin(), asked_.end()});
    throw Error(ErrorKind::kInput, fmt::format("{}: unknown field \"{}\"", where_, key),
                near.empty() ? "remove it" : fmt::format("did you mean \"{}\"?", near));
  }
}

std::vector<Json> parse_json_lines(std::string_view text, const std::string& name, std::string* torn) {
  std::vector<Json> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    if (end == std::string_view::npos) {  // the newline is written last: without it the line is not whole
      *torn = std::string(line);
      break;
    }
    text.remove_prefix(end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    lines.push_back(parse_json(line, fmt::format("{}:{}", name, number)));
  }
  return lines;
}

JsonLines::JsonLines(const std::filesystem::path& path)
    : path_(path), created_(!std::filesystem::exists(path)) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail_io("open", path, errno);
  try {
    const std::string text = load_text(path);
    lines_ = parse_json_lines(text, path.string(), &torn_);
    if (!torn_.empty() && ::ftruncate(fd_, static_cast<off_t>(text.size() - torn_.size())) != 0)
      fail_io("cut the torn last line of", path, errno);
  } catch (...) {
    ::close(fd_);
    throw;
  }
  sync_folder(path);
}

JsonLines::~JsonLines() {
  if (created_ && lines_.empty()) ::unlink(path_.c_str());
  ::close(fd_);
}

void JsonLines::append(const Json& line) {
  struct stat before = {};
  if (::fstat(fd_, &before) != 0) fail_io("read", path_, errno);
  try {
    write_all(fd_, line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    if (::fsync(fd_) != 0 && errno != EINVAL) throw std::system_error(errno, std::generic_category());
  } catch (const std::system_error& e) {
    if (::ftruncate(fd_, before.st_size) != 0) fail_io("repair", path_, errno);
    fail_io("append to", path_, e.code().value());
  }
  lines_.push_back(line);
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const auto distance = edit_distance(name, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

}  // namespace osdtune
