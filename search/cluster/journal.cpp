// SPDX-License-Identifier: Apache-2.0
// Journal lines, their lock, and where journals are kept.
#include "search/cluster/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.hpp"

namespace osdtune {
namespace fs = std::filesystem;
namespace {

constexpr int kFormat = 1;

Json first_line(const JournalContent& content) {
  const JournalHeader& header = content.header;
  return {{"journal", kFormat},
          {"fsid", header.fsid},
          {"target", header.target},
          {"client", header.client},
          {"study", header.study},
          {"host", header.host},
          {"pid", header.pid},
          {"started", header.started},
          {"restart_names", Json(content.restart_names)},
          {"before", to_json(content.before)}};
}

JournalContent content_from_lines(const std::vector<Json>& lines, const std::string& name) {
  if (lines.empty())
    throw Error(ErrorKind::kInput, fmt::format("{}: the journal is empty; its sweep changed nothing", name));
  Fields fields(lines.front(), name + ":1");
  if (fields.integer("journal") != kFormat)
    throw Error(ErrorKind::kInput, fmt::format("{}: this version cannot read the journal's format", name),
                "use the version that wrote it");
  JournalContent content;
  content.header = {.fsid = fields.text("fsid"),
                    .target = fields.text("target"),
                    .client = fields.text("client"),
                    .study = fields.text("study"),
                    .host = fields.text("host"),
                    .pid = static_cast<int>(fields.integer("pid")),
                    .started = fields.text("started")};
  content.restart_names = fields.require("restart_names").get<std::set<std::string>>();
  content.before = snapshot_from_json(fields.require("before"), name);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].contains("pool")) content.pools.push_back(lines[i].at("pool"));
    if (lines[i].contains("closed")) content.closed = true;
  }
  return content;
}

/// Locks the file for this process; nullopt if another holds it.
std::optional<int> lock_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    throw Error(ErrorKind::kInput, fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return std::nullopt;
}

std::string sweep_name(const JournalHeader& header) {
  return fmt::format("process {} on {}, study {}, begun {}", header.pid, header.host, header.study,
                     header.started);
}

/// An empty or torn first line means that the crash came before the first change.
bool is_unused(const fs::path& path) {
  std::string torn;
  return !fs::exists(path) || parse_json_lines(load_text(path), path.string(), &torn).empty();
}

}  // namespace

Journal::Journal(const fs::path& path) : path_(path) {
  const auto fd = lock_file(path);
  if (!fd) {
    std::string who = "another process";
    if (!is_unused(path)) who = sweep_name(read_journal(path).header);
    throw Error(ErrorKind::kCluster, fmt::format("a sweep works on this cluster already: {}", who),
                "wait for its end, or stop it with Ctrl-C");
  }
  lock_fd_ = *fd;
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      lock_fd_(std::exchange(other.lock_fd_, -1)),
      lines_(std::move(other.lines_)),
      content_(std::move(other.content_)) {}

Journal::~Journal() {
  if (lock_fd_ >= 0) ::close(lock_fd_);
}

Journal Journal::claim(const fs::path& path) {
  Journal journal(path);
  if (!is_unused(path))
    throw Error(ErrorKind::kCluster,
                fmt::format("an earlier sweep ended without putting this cluster back: {}",
                            sweep_name(read_journal(path).header)),
                fmt::format("run 'osdtune rollback', then start again (journal: {})", path.string()));
  if (::ftruncate(journal.lock_fd_, 0) != 0)
    throw Error(ErrorKind::kInput, fmt::format("cannot write {}", path.string()));
  journal.lines_ = std::make_unique<JsonLines>(path);
  return journal;
}

void Journal::begin(const JournalContent& content) {
  lines_->append(first_line(content));
  content_ = content;
}

Journal Journal::open(const fs::path& path) {
  if (!fs::exists(path)) throw Error(ErrorKind::kInput, fmt::format("there is no journal {}", path.string()));
  Journal journal(path);
  journal.lines_ = std::make_unique<JsonLines>(path);
  journal.content_ = content_from_lines(journal.lines_->lines(), path.string());
  return journal;
}

void Journal::add_pool(const std::string& pool) {
  if (std::find(content_.pools.begin(), content_.pools.end(), pool) != content_.pools.end()) return;
  lines_->append({{"pool", pool}});
  content_.pools.push_back(pool);
}

void Journal::close() {
  lines_->append({{"closed", true}});
  content_.closed = true;
  fs::rename(path_, fs::path(path_.string() + ".closed"));
}

JournalContent read_journal(const fs::path& path) {
  std::string torn;
  return content_from_lines(parse_json_lines(load_text(path), path.string(), &torn), path.string());
}

fs::path state_directory() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  fs::path folder = variable("OSDTUNE_STATE_DIR");
  if (folder.empty() && !variable("XDG_STATE_HOME").empty())
    folder = fs::path(variable("XDG_STATE_HOME")) / "osdtune";
  if (folder.empty())
    folder = fs::path(variable("HOME").empty() ? "/" : variable("HOME")) / ".local" / "state" / "osdtune";
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw Error(
        ErrorKind::kInput,
        fmt::format("cannot make the folder {} for undo journals: {}", folder.string(), failed.message()),
        "set OSDTUNE_STATE_DIR to a folder you can write to");
  return folder;
}

fs::path journal_path(const std::string& fsid) {
  return state_directory() / (fsid + ".journal");
}

std::vector<fs::path> unfinished_journals() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(state_directory()))
    if (entry.path().extension() == ".journal" && !is_unused(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return fs::last_write_time(a) < fs::last_write_time(b);
  });
  return found;
}

}  // namespace osdtune
