// SPDX-License-Identifier: Apache-2.0
// JSON on disk: read with line and column in every complaint, written so that a crash leaves the old or the
// new.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace osdtune {

using Json = nlohmann::ordered_json;  ///< keeps the order of keys, so that files stay readable

/// What to do with a key that stands twice in one object.
enum class Twins { kRefuse, kKeepLast };

/// Parses JSON (// and /* */ comments allowed). `name` stands for the file in messages.
/// Throws Error{kInput} with line and column.
Json parse_json(std::string_view text, const std::string& name, Twins twins = Twins::kRefuse);

/// Throws Error{kInput} if the file cannot be read or parsed.
Json load_json(const std::filesystem::path& path);
std::string load_text(const std::filesystem::path& path);

/// Writes beside the target, syncs, renames over it, syncs the folder. Throws Error{kInput}.
void save_text(const std::filesystem::path& path, std::string_view text);

/// Reads the fields of one JSON object; what was not asked for by `finish()` is an error that names the
/// field.
class Fields {
 public:
  /// `where` is the path of the object in messages, e.g. "plan.json: workloads[0]".
  Fields(const Json& object, std::string where);
  /// The field, or nullptr if absent.
  const Json* find(const std::string& key);
  /// The field; throws Error{kInput} if absent.
  const Json& require(const std::string& key);
  std::string text(const std::string& key, std::optional<std::string> fallback = {});
  double number(const std::string& key, std::optional<double> fallback = {});
  std::int64_t integer(const std::string& key, std::optional<std::int64_t> fallback = {});
  bool boolean(const std::string& key, std::optional<bool> fallback = {});
  /// Throws Error{kInput} naming the first unknown field and the nearest known one.
  void finish() const;
  const std::string& where() const { return where_; }

 private:
  const Json& object_;
  std::string where_;
  std::set<std::string> asked_;
};

/// Append-only JSON Lines; each line reaches the disk before `append` returns.
class JsonLines {
 public:
  /// Opens or creates; a file that was created and got no line is gone again at the end. A torn last line
  /// (crash while writing) is cut off; `torn()` has its text. Throws Error{kInput} for any other broken line,
  /// naming its number.
  explicit JsonLines(const std::filesystem::path& path);
  ~JsonLines();
  JsonLines(const JsonLines&) = delete;
  JsonLines& operator=(const JsonLines&) = delete;

  const std::vector<Json>& lines() const { return lines_; }
  const std::string& torn() const { return torn_; }
  /// Throws Error{kInput} if the line did not reach the disk (disk full); the file then ends with the
  /// previous line.
  void append(const Json& line);
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  bool created_ = false;
  std::vector<Json> lines_;
  std::string torn_;
};

/// The whole lines of JSON Lines text; a torn last line goes to `torn` and is not an error.
std::vector<Json> parse_json_lines(std::string_view text, const std::string& name, std::string* torn);

/// The candidate nearest in spelling (edit distance at most a third of its length), or "".
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace osdtune
