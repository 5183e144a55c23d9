// SPDX-License-Identifier: Apache-2.0
// One symbolic link per lab in a folder of the user's that outlives a restart of the host.
#include "search/cluster/lab_registry.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <set>

#include "core/error.hpp"
#include "search/cluster/lab_place.hpp"
#include "search/cluster/lab_state.hpp"

namespace osdtune {
namespace fs = std::filesystem;
namespace {

fs::path registry() {
  return lab_base_folders().back() / "labs";
}

fs::path entry_of(const fs::path& lab) {
  return registry() / fmt::format("{:016x}", std::hash<std::string>{}(lab.string()));
}

/// Anyone may make folders in /var/tmp: one that is not ours is not to be trusted.
bool is_ours(const fs::path& folder) {
  struct stat info {};
  return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

}  // namespace

void remember_lab(const fs::path& lab) {
  const fs::path base = registry().parent_path();
  std::error_code failed;
  if (fs::create_directory(base, failed)) fs::permissions(base, fs::perms::owner_all);
  if (!is_ours(base))
    throw Error(ErrorKind::kInput, fmt::format("{} belongs to someone else", base.string()),
                "remove that folder");
  fs::create_directory(registry());
  fs::remove(entry_of(lab));
  fs::create_symlink(lab, entry_of(lab));
}

void forget_lab(const fs::path& lab) {
  std::error_code absent;
  fs::remove(entry_of(lab), absent);
}

std::vector<fs::path> known_labs() {
  std::set<fs::path> labs;
  for (const fs::path& base : lab_base_folders()) {
    if (!is_ours(base)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(base))
      if (fs::exists(lab_state_path(entry.path()))) labs.insert(entry.path());
  }
  if (is_ours(registry()))
    for (const fs::directory_entry& entry : fs::directory_iterator(registry())) {
      const fs::path lab = fs::read_symlink(entry.path());
      if (fs::exists(lab_state_path(lab)))
        labs.insert(lab);
      else
        fs::remove(entry.path());  // its folder is gone, e.g. memory after a restart of the host
    }
  return {labs.begin(), labs.end()};
}

}  // namespace osdtune
