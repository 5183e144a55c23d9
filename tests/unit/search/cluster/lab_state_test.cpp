// SPDX-License-Identifier: Apache-2.0
// lab.json: what is written is read back, and what is broken is refused.
#include "search/cluster/lab_state.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>

#include "core/error.hpp"

using namespace osdtune;

namespace {

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "osdtune-test-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

LabState example() {
  return {.fsid = "6f0c",
          .mon_port = 23456,
          .devices = 2,
          .osds_per_device = 1,
          .device_bytes = std::int64_t{4} << 30,
          .replicas = 1,
          .cpus = "0-1",
          .osds = {{.id = 0, .device = 0, .uuid = "a"}, {.id = 1, .device = 1, .uuid = "b"}},
          .daemons = {{"mon.a", {.pid = 12, .start_ticks = 3456}}},
          .maker = {.pid = 11, .start_ticks = 3400}};
}

}  // namespace

TEST_CASE("a lab's state comes back from disk as it was") {
  const Folder folder;
  save_lab_state(folder.path, example());
  CHECK(load_lab_state(folder.path) == example());
}

TEST_CASE("a folder without lab.json is no lab, and the error says how to get one") {
  const Folder folder;
  try {
    load_lab_state(folder.path);
    FAIL("no error");
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::kInput);
    CHECK(std::string(e.what()).find(folder.path.string()) != std::string::npos);
    CHECK(e.hint().find("lab up") != std::string::npos);
  }
}

TEST_CASE("a broken lab.json is refused") {
  const Folder folder;
  const auto refused = [&](const std::string& text) {
    save_text(lab_state_path(folder.path), text);
    CHECK_THROWS_AS(load_lab_state(folder.path), Error);
  };
  refused("{\"fsid\": ");
  refused("{}");
  Json unknown = to_json(example());
  unknown["colour"] = "red";
  refused(unknown.dump());
  Json wrong = to_json(example());
  wrong["daemons"]["mon.a"]["pid"] = "twelve";
  refused(wrong.dump());
}
