// SPDX-License-Identifier: Apache-2.0
// Advice on configurations of kinds seen in the field: what an expert would say, and nothing false.
#include "advisor/advise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "search/plan.hpp"

using namespace osdtune;

namespace {

const std::string kFolder = std::string(OSDTUNE_SOURCE_DIR) + "/tests/data/ceph_conf/";

Facts facts_of(const std::string& file, const std::string& release = "18.2.7") {
  Facts facts;
  add_file(kFolder + file, &facts);
  facts.release = release;
  return facts;
}

void collect(const std::vector<Finding>& findings, std::set<std::string>* rules) {
  for (const Finding& finding : findings) {
    rules->insert(finding.rule);
    collect(finding.folded, rules);
  }
}

std::set<std::string> rules_fired(const Advice& advice) {
  std::set<std::string> rules;
  collect(advice.findings, &rules);
  return rules;
}

Facts two_osds() {
  Facts facts;
  facts.release = "18.2.7";
  for (const int id : {0, 1})
    facts.osds[id] = {.id = id, .host = "a", .device_class = "ssd", .drives = "nvme0n1"};
  facts.hosts["a"] = {.name = "a", .threads = 8, .memory_bytes = 64e9};
  return facts;
}

}  // namespace

TEST_CASE("each kind of configuration gives exactly the findings that were reviewed by hand") {
  const Json expected = load_json(kFolder + "expected.json");
  CHECK(expected.size() == 10);
  for (const auto& [file, what] : expected.items()) {
    INFO(file);
    const Facts facts = facts_of(file, what.at("release").get<std::string>());
    CHECK(rules_fired(advise(facts)) == what.at("rules").get<std::set<std::string>>());
  }
}

TEST_CASE("a clean configuration gives nothing above info") {
  const Advice advice = advise(facts_of("clean_modern.conf"));
  CHECK(worst(advice).value_or(Severity::kInfo) == Severity::kInfo);
}

TEST_CASE("without a release, what holds for most is said, and for which") {
  Facts facts = facts_of("mclock_misuse.conf");
  facts.release.reset();
  const Advice advice = advise(facts);
  const auto find = [&](const std::string& rule) {
    const auto found = std::find_if(advice.findings.begin(), advice.findings.end(),
                                    [&](const Finding& each) { return each.rule == rule; });
    REQUIRE(found != advice.findings.end());
    return *found;
  };
  CHECK(find("mclock-capacity-hdd-absurd").releases.empty());
  const Finding locked = find("mclock-recovery-limits");
  CHECK(locked.releases == std::vector<std::string>{"17.2", "18.2", "19.2", "20.2"});
  const std::string text = advice_text(advice, false);
  CHECK(text.find("On 17.2 and later: " + locked.text.substr(0, 20)) != std::string::npos);
  CHECK(std::any_of(advice.notes.begin(), advice.notes.end(),
                    [](const std::string& note) { return note.find("--release") != std::string::npos; }));
  CHECK_FALSE(rules_fired(advice).contains("mclock-options-under-wpq"));  // 16.2 alone
  facts.release = "16.2.15";
  CHECK(rules_fired(advise(facts)).contains("mclock-options-under-wpq"));
  for (const Finding& finding : advise(facts).findings) CHECK(finding.releases.empty());
}

TEST_CASE("a clean configuration is clean in every release") {
  Facts facts = facts_of("clean_modern.conf");
  facts.release.reset();
  CHECK(worst(advise(facts)).value_or(Severity::kInfo) == Severity::kInfo);
}

TEST_CASE("a planted log level is found with the value the OSDs run with") {
  Facts facts = two_osds();
  facts.osds[0].running["debug_osd"] = "20/20";
  const Advice advice = advise(facts);
  REQUIRE(!advice.findings.empty());
  const auto found = std::find_if(advice.findings.begin(), advice.findings.end(),
                                  [](const Finding& each) { return each.rule == "debug-log-high"; });
  REQUIRE(found != advice.findings.end());
  CHECK(found->text.find("20/20") != std::string::npos);
  CHECK(found->subjects == std::vector<std::string>{"[osd.0] debug_osd"});
}

TEST_CASE("a stored value that waits for a restart is found, with what the OSDs run with") {
  Facts facts = two_osds();
  facts.settings.push_back({"osd", "", "osd_op_num_shards", "4", true, {"monitors", 0}});
  facts.osds[0].running["osd_op_num_shards"] = "16";
  const Advice advice = advise(facts);
  const auto found = std::find_if(advice.findings.begin(), advice.findings.end(),
                                  [](const Finding& each) { return each.rule == "restart-pending"; });
  REQUIRE(found != advice.findings.end());
  CHECK(found->text == "osd_op_num_shards = 4 is stored, but OSDs still run with 16");
}

TEST_CASE("a value of each OSD shadows that of all of them") {
  Facts facts = two_osds();
  facts.settings.push_back({"osd", "", "osd_mclock_max_capacity_iops_ssd", "30000", true, {"monitors", 0}});
  for (const char* section : {"osd.0", "osd.1"})
    facts.settings.push_back(
        {section, "", "osd_mclock_max_capacity_iops_ssd", "40000", true, {"monitors", 0}});
  CHECK(rules_fired(advise(facts)).contains("mclock-capacity-shadowed"));
}

TEST_CASE("a cause on one pool does not hide the danger on another") {
  Facts facts = two_osds();
  facts.pools = {{.name = "two", .size = 2, .min_size = 1, .pg_num = 32, .erasure = false},
                 {.name = "three", .size = 3, .min_size = 1, .pg_num = 32, .erasure = false}};
  const Advice advice = advise(facts);
  const auto found = std::find_if(advice.findings.begin(), advice.findings.end(),
                                  [](const Finding& each) { return each.rule == "pool-min-size-one"; });
  REQUIRE(found != advice.findings.end());
  CHECK(std::count(found->subjects.begin(), found->subjects.end(), "pool three") == 1);
}

TEST_CASE("a value that a narrower one shadows is said to be without effect, not to be harmful") {
  Facts facts = two_osds();
  facts.settings.push_back({"global", "", "debug_osd", "20/20", false, {"ceph.conf", 2}});
  facts.settings.push_back({"osd", "", "debug_osd", "1/5", false, {"ceph.conf", 4}});
  CHECK(!rules_fired(advise(facts)).contains("debug-log-high"));
  facts.settings.pop_back();
  CHECK(rules_fired(advise(facts)).contains("debug-log-high"));
}

TEST_CASE("a mask of two parts counts where both do") {
  Facts facts = two_osds();
  facts.osds[1].host = "b";
  const auto reaches = [&](const char* mask, int osd) {
    return applies_to({"osd", mask, "osd_max_scrubs", "2", true, {"monitors", 0}}, facts, osd);
  };
  CHECK(reaches("host:a/class:ssd", 0));
  CHECK(!reaches("host:a/class:ssd", 1));
  CHECK(!reaches("host:a/class:hdd", 0));
}

TEST_CASE("OSDs that say the same become one finding with a short list") {
  std::vector<std::string> subjects;
  for (int id = 0; id < 12; ++id) subjects.push_back("osd." + std::to_string(id));
  subjects.push_back("osd.20");
  CHECK(short_subjects(subjects, 3) == "osd.0-11, osd.20 (13 OSDs)");
  CHECK(short_subjects({"host a", "host b", "host c", "host d"}, 3) == "host a, host b, host c and 1 more");
}

TEST_CASE("the short report names finding, place and what to do, the long one reason and source too") {
  const Advice advice = advise(facts_of("proxmox.conf"));
  const std::string brief = advice_text(advice, false);
  CHECK(brief.find("Pools can be deleted at any time") != std::string::npos);
  CHECK(brief.find("proxmox.conf:7") != std::string::npos);
  CHECK(brief.find("0 danger, 1 warning") != std::string::npos);
  CHECK(brief.find("sources") == std::string::npos);
  CHECK(advice_text(advice, true).find("rule pool-delete-allowed") != std::string::npos);
}

TEST_CASE("the JSON says what the text says") {
  const Json json = to_json(advise(facts_of("proxmox.conf")));
  CHECK(json.at("summary").at("warning") == 1);
  CHECK(json.at("findings").at(0).at("rule") == "pool-delete-allowed");
}

TEST_CASE("the plan that advice writes is one a sweep can read, bounded by cores and memory") {
  const Facts facts = two_osds();
  const Plan plan = plan_from_json(sweep_plan(advise(facts), facts), "plan");
  CHECK(plan.workloads.size() == 2);
  const auto shards = std::find_if(plan.space.begin(), plan.space.end(),
                                   [](const SettingRange& each) { return each.name == "osd_op_num_shards"; });
  REQUIRE(shards != plan.space.end());
  CHECK(shards->high == Value(std::int64_t{4}));
}

TEST_CASE("severities are compared and unknown ones refused") {
  CHECK(parse_severity("danger") > parse_severity("info"));
  CHECK_THROWS_AS(parse_severity("fatal"), Error);
}
