// SPDX-License-Identifier: Apache-2.0
// Every rule fires on what it says it fires on, stays quiet where it says so, and points only to things that
// exist.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/finding.hpp"
#include "knowledge/fio_job.hpp"
#include "knowledge/rule.hpp"
#include "knowledge/world.hpp"

using namespace osdtune;

namespace {

const Catalogue& catalogue() {
  static const Catalogue loaded = load_catalogue();
  return loaded;
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> loaded = load_rules_with_examples();
  return loaded;
}

Facts facts_of(const RuleExample& example) {
  Facts facts;
  if (!example.release.empty()) facts.release = example.release;
  if (!example.conf.empty()) add_conf(read_ceph_conf(example.conf, "example.conf"), &facts);
  if (!example.fio.empty()) add_fio_job(example.fio, "example.fio", &facts);
  return facts;
}

std::vector<Finding> run(const std::vector<Rule>& some, const RuleExample& example) {
  const Facts facts = facts_of(example);
  return evaluate(some, World(facts, catalogue(), example.facts));
}

bool known_source(const std::string& source, const std::set<std::string>& ids) {
  return ids.contains(source) || source.find('#') != std::string::npos;
}

std::set<std::string> source_ids() {
  std::set<std::string> ids;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name != "sources.json") continue;
    const Json json = parse_json(file.text, file.name);
    for (const auto& [id, source] : json.at("sources").items()) ids.insert(id);
  }
  return ids;
}

}  // namespace

TEST_CASE("every rule fires on its own examples and its words are complete") {
  for (const Rule& rule : rules()) {
    INFO(rule.id);
    CHECK_FALSE(rule.fires_on.empty());
    for (std::size_t i = 0; i < rule.fires_on.size(); ++i) {
      INFO("fires_on[", i, "]");
      const std::vector<Finding> findings = run({rule}, rule.fires_on[i]);
      CHECK(!findings.empty());
      for (const Finding& finding : findings)
        for (const std::string* text : {&finding.text, &finding.why, &finding.advice, &finding.effect}) {
          CHECK_MESSAGE(text->find('?') == std::string::npos, *text);
          CHECK_MESSAGE(text->find('{') == std::string::npos, *text);
        }
    }
  }
}

TEST_CASE("every rule stays quiet on its counterexamples and on nothing at all") {
  for (const Rule& rule : rules()) {
    INFO(rule.id);
    CHECK_FALSE(rule.quiet_on.empty());
    for (std::size_t i = 0; i < rule.quiet_on.size(); ++i) {
      INFO("quiet_on[", i, "]");
      CHECK(run({rule}, rule.quiet_on[i]).empty());
    }
    CHECK(run({rule}, RuleExample{}).empty());
  }
}

TEST_CASE("rules name only options, rules and sources that exist") {
  std::set<std::string> ids;
  for (const Rule& rule : rules()) ids.insert(rule.id);
  const std::set<std::string> sources = source_ids();
  for (const Rule& rule : rules()) {
    INFO(rule.id);
    CHECK_FALSE(rule.sources.empty());
    for (const std::string& source : rule.sources) CHECK_MESSAGE(known_source(source, sources), source);
    for (const std::string& cause : rule.part_of) CHECK_MESSAGE(ids.contains(cause), cause);
    for (const std::string& setting : rule.sweep) {
      const bool structural =
          setting == "osds_per_device" || setting == "osd_cpus" || setting == "debug_levels";
      CHECK_MESSAGE((structural || is_searchable(find_option_anywhere(catalogue(), setting).value())),
                    setting);
    }
    std::vector<std::string> names;
    collect_facts(rule.when, &names);
    for (const std::string& name : names)
      for (const char* prefix : {"opt.", "set.", "run.", "client."})
        if (name.starts_with(prefix))
          CHECK_MESSAGE(is_known(catalogue(), name.substr(std::string(prefix).size())), name);
  }
}

TEST_CASE("there are rules for every fact that asks for one") {
  std::set<std::string> cited;
  for (const Rule& rule : rules()) cited.insert(rule.sources.begin(), rule.sources.end());
  for (const int fact :
       {1, 5, 6, 7, 8, 9, 10, 12, 13, 19, 20, 21, 22, 23, 24, 26, 27, 29, 31, 32, 33, 35, 37, 38, 39})
    CHECK_MESSAGE(cited.contains("F" + std::to_string(fact)), "F" << fact);
  CHECK(rules().size() >= 120);
}

TEST_CASE("no causes lead round in a circle") {
  std::map<std::string, std::vector<std::string>> causes;
  for (const Rule& rule : rules()) causes[rule.id] = rule.part_of;
  for (const auto& [id, first] : causes) {
    std::set<std::string> reached;
    std::vector<std::string> open = first;
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      if (reached.insert(next).second) open.insert(open.end(), causes[next].begin(), causes[next].end());
    }
    CHECK_MESSAGE(!reached.contains(id), id);
  }
}

TEST_CASE("a rule with an unknown field is refused by name") {
  CHECK_THROWS_WITH_AS(
      rules_from_json(Json{{"rules", {{{"id", "x"}, {"sevreity", "info"}}}}}, "r.json", true),
      doctest::Contains("r.json"), Error);
}
