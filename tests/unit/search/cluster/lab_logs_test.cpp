// SPDX-License-Identifier: Apache-2.0
// Logs that grow too large are emptied, and only those.
#include "search/cluster/lab_logs.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

using namespace osdtune;

TEST_CASE("a log over the limit is emptied while its writer goes on appending") {
  std::string name = (std::filesystem::temp_directory_path() / "osdtune-test-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  std::ofstream(folder / "small.log") << "few words";
  std::ofstream(folder / "large.txt") << std::string(2000, 'x');
  std::ofstream writer(folder / "large.log", std::ios::app);
  writer << std::string(2000, 'x') << std::flush;
  CHECK(trim_logs(folder, 1000) == 1);
  writer << "after" << std::flush;
  CHECK(std::filesystem::file_size(folder / "large.log") == 5);
  CHECK(std::filesystem::file_size(folder / "small.log") == 9);
  CHECK(std::filesystem::file_size(folder / "large.txt") == 2000);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a folder that is gone has no logs to trim") {
  CHECK(trim_logs("/nowhere/at/all", 1000) == 0);
}
