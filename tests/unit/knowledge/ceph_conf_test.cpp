// SPDX-License-Identifier: Apache-2.0
// A ceph.conf is read as Ceph reads it, and every difference is said with its line and column.
#include "knowledge/ceph_conf.hpp"

#include <doctest/doctest.h>

#include "knowledge/catalogue.hpp"
#include "knowledge/option_value.hpp"

using namespace osdtune;

namespace {

CephConf read(const std::string& text) {
  return read_ceph_conf(text, "ceph.conf");
}

std::string value(const std::string& text) {
  const CephConf conf = read("[osd]\nx = " + text + "\n");
  REQUIRE(conf.settings.size() == 1);
  return conf.settings[0].value;
}

bool refused(const std::string& text) {
  for (const ConfProblem& problem : read(text).problems)
    if (problem.kind == ConfProblemKind::kRefused) return true;
  return false;
}

OptionValue as(const std::string& option, const std::string& text) {
  static const Catalogue catalogue = load_catalogue();
  return read_option_value(*find_option(catalogue, option, "16.2.15"), text);
}

}  // namespace

TEST_CASE("blanks and underscores in names are alike") {
  const CephConf conf = read("[osd]\nosd max backfills = 1\nosd_max   scrubs=2\n");
  CHECK(conf.problems.empty());
  CHECK(conf.settings ==
        std::vector<ConfSetting>{{"osd", "osd_max_backfills", "1", 2}, {"osd", "osd_max_scrubs", "2", 3}});
}

TEST_CASE("a name with dashes is understood, but Ceph ignores it in a file") {
  const CephConf conf = read("[osd]\nosd-max-backfills = 1\n");
  CHECK(conf.settings[0].name == "osd_max_backfills");
  REQUIRE(conf.problems.size() == 1);
  CHECK(conf.problems[0].kind == ConfProblemKind::kIgnored);
  CHECK(conf.problems[0].line == 2);
}

TEST_CASE("settings before the first header belong to global, and Ceph refuses all but a lone first line") {
  const CephConf conf = read("fsid = 1\n[osd]\na = 2\n");
  CHECK(conf.settings[0].section == "global");
  CHECK(conf.settings[1].section == "osd");
  // (text, line refused) as ceph-conf 16.2.15 answers; 0: accepted
  const std::pair<const char*, int> answers[] = {{"fsid = 1\n[osd]\na = 2\n", 2},
                                                 {"\nfsid = 1\n", 2},
                                                 {"# c\nfsid = 1\n[osd]\na = 2\n", 2},
                                                 {"fsid = 1\na = 2\nb = 3\n", 2},
                                                 {"fsid = 1\n\n[osd]\na = 2\n", 3},
                                                 {"   \n[osd]\na = 2\n", 1},
                                                 {"# c\n   \n[osd]\na = 2\n", 2},
                                                 {"fsid = 1\n", 0},
                                                 {"fsid = 1\n# c\n\n", 0},
                                                 {"   fsid = 1\n", 0},
                                                 {"\n# c\n[osd]\n   \na = 2\n", 0},
                                                 {"  # c\n[osd]\na = 2\n", 0}};
  for (const auto& [text, line] : answers) {
    INFO(text);
    const auto problems = read(text).problems;
    CHECK(problems.size() == (line > 0 ? 1 : 0));
    if (problems.empty()) continue;
    CHECK(problems.front().kind == ConfProblemKind::kRefused);
    CHECK(problems.front().line == line);
  }
}

TEST_CASE("comments, quotes, escapes and continuation end values where Ceph ends them") {
  CHECK(value("3 # three") == "3");
  CHECK(value("3 ; three") == "3");
  CHECK(value("a#b") == "a");
  CHECK(value("a\\#b") == "a#b");
  CHECK(value("\"a=b,c = d\" # text") == "a=b,c = d");
  CHECK(value("'a b'") == "a b");
  CHECK(value("a \"b\" c") == "a \"b\" c");
  CHECK(value("a=b,\\\n   c=d") == "a=b,   c=d");
  CHECK(value("") == "");
}

TEST_CASE("what Octopus and later refuse is said with line and column") {
  const CephConf indented = read("[global]\n  [osd]\na = 1\n");
  REQUIRE(indented.problems.size() == 1);
  CHECK(indented.problems[0].line == 2);
  CHECK(indented.problems[0].column == 3);
  CHECK(indented.settings[0].section == "osd");
  CHECK(refused("[osd]\na = 1"));
  CHECK(refused("[osd\na = 1\n"));
  CHECK(refused("[osd] x\na = 1\n"));
  CHECK(refused("[osd]\nosd max backfills 3\n"));
  CHECK(refused("[osd]\n= 3\n"));
  CHECK(refused("[osd]\na = \"3\n"));
  CHECK(refused("[osd]\na = \"3\" 4\n"));
  CHECK(refused("\xef\xbb\xbf[osd]\na = 3\n"));
  CHECK_FALSE(refused("[osd] # text\r\n\ta = 3\r\n\r\n"));
  CHECK_FALSE(refused("[osd]\n# \xc3\xbc\na = 1\n"));
}

TEST_CASE("the rest of a broken file is still used") {
  const CephConf conf = read("[osd]\nnonsense\nosd max scrubs = 2\n");
  REQUIRE(conf.settings.size() == 1);
  CHECK(conf.settings[0].line == 3);
}

TEST_CASE("a second value for one name in one section names both lines and the last counts") {
  const CephConf conf =
      read("[osd]\nosd memory target = 1\n[mon]\nosd memory target = 5\n[osd]\nosd_memory_target = 2\n");
  REQUIRE(conf.problems.size() == 1);
  CHECK(conf.problems[0].kind == ConfProblemKind::kDuplicate);
  CHECK(conf.problems[0].line == 6);
  CHECK(conf.problems[0].text.find("line 2") != std::string::npos);
}

TEST_CASE("sections no daemon reads are said, and read as meant where that is clear") {
  const CephConf conf = read("[OSD]\na = 1\n[osd3]\nb = 1\n");
  CHECK(conf.problems.size() == 2);
  CHECK(conf.settings[0].section == "osd");
  CHECK(is_section("client.rbd"));
  CHECK(is_section("osd.12"));
  CHECK_FALSE(is_section("osd."));
  CHECK_FALSE(is_section("rgw"));
}

TEST_CASE("an empty file has nothing wrong") {
  CHECK(read("").problems.empty());
  CHECK(read("").settings.empty());
}

TEST_CASE("sizes are read as Ceph reads them") {
  CHECK(as("osd_memory_target", "6G").value == Value(std::int64_t{6442450944}));
  CHECK(as("osd_memory_target", "6GB").value == Value(std::int64_t{6442450944}));
  CHECK(as("osd_memory_target", "6Gi").value == Value(std::int64_t{6442450944}));
  CHECK(as("osd_memory_target", "940000000").value == Value(std::int64_t{940000000}));
  for (const char* wrong : {"6GiB", "6g", "6_G", "6 G", "6.5G", "6e9", "6,294", "0x10", ""})
    CHECK_MESSAGE(!as("osd_memory_target", wrong).value, wrong);
  CHECK(as("osd_memory_target", "6GiB").meant == "6442450944");
}

TEST_CASE("values outside of the range of an option are refused with the bound") {
  CHECK(as("osd_memory_target", "100").problem.find("939524096") != std::string::npos);
  CHECK_FALSE(as("ms_async_op_threads", "25").value);
  CHECK_FALSE(as("ms_async_op_threads", "0").value);
  CHECK(as("ms_async_op_threads", "24").value);
  CHECK_FALSE(as("osd_max_backfills", "-1").value);
}

TEST_CASE("whole numbers take decimal prefixes, as 16.2.15 does") {
  CHECK(as("osd_max_backfills", "5K").value == Value(std::int64_t{5000}));
  CHECK_FALSE(as("osd_max_backfills", "5k").value);
  CHECK_FALSE(as("osd_max_backfills", "5.5").value);
  CHECK_FALSE(as("osd_scrub_load_threshold", "0,5").value);
  CHECK(as("osd_scrub_load_threshold", "5e-1").value == Value(0.5));
}

TEST_CASE("yes, no, on and off are not booleans to Ceph") {
  CHECK(as("osd_crush_update_on_start", "FALSE").value == Value(false));
  CHECK(as("osd_crush_update_on_start", "0").value == Value(false));
  CHECK(as("osd_crush_update_on_start", "2").value == Value(true));
  CHECK_FALSE(as("osd_crush_update_on_start", "no").value);
  CHECK(as("osd_crush_update_on_start", "no").meant == "false");
}

TEST_CASE("values of an enumeration are checked and the nearest is offered") {
  CHECK(as("osd_op_queue", "wpq").value == Value(std::string("wpq")));
  CHECK(as("osd_op_queue", "mclock_schedular").meant == "mclock_scheduler");
}

TEST_CASE("one debug level counts for log and memory") {
  CHECK(parse_debug_levels("20") == DebugLevels{20, 20});
  CHECK(parse_debug_levels("0/00") == DebugLevels{0, 0});
  CHECK(parse_debug_levels("1/5") == DebugLevels{1, 5});
  CHECK(parse_debug_levels("5/") == DebugLevels{5, 5});
  CHECK_FALSE(parse_debug_levels("a"));
  CHECK_FALSE(parse_debug_levels("-1"));
  CHECK_FALSE(parse_debug_levels("999/3"));
}
