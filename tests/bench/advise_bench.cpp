// SPDX-License-Identifier: Apache-2.0
// Times advise on a saved report of 1,000 OSDs with 50 stored options each, and on one ceph.conf. Exit code 1
// beyond the limits (2 s and 500 MB, 50 ms).
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>

#include "advisor/advise.hpp"
#include "knowledge/catalogue.hpp"

using namespace osdtune;

namespace {

constexpr int kOsds = 1000;
constexpr int kOptionsPerOsd = 50;

Json report() {
  const Catalogue catalogue = load_catalogue();
  const std::vector<std::string> names = described_options(catalogue);
  Json metadata = Json::array(), config = Json::array(), osds = Json::array();
  for (int id = 0; id < kOsds; ++id) {
    metadata.push_back({{"id", id},
                        {"hostname", fmt::format("host{}", id / 20)},
                        {"osd_objectstore", "bluestore"},
                        {"ceph_version_short", "18.2.4"},
                        {"bluestore_bdev_rotational", "0"},
                        {"mem_total_kb", "268435456"},
                        {"devices", fmt::format("nvme{}n1", id % 20)}});
    osds.push_back({{"osd", id}, {"up", 1}});
    for (int i = 0; i < kOptionsPerOsd; ++i) {
      const std::string& name = names[static_cast<std::size_t>(i * 7) % names.size()];
      const auto option = find_option_anywhere(catalogue, name);
      config.push_back({{"section", fmt::format("osd.{}", id)},
                        {"name", name},
                        {"value", option->default_value},
                        {"mask", ""}});
    }
  }
  return {{"version", "18.2.4"},
          {"osdmap", {{"osds", osds}, {"pools", Json::array()}, {"flags", "sortbitwise"}}},
          {"crushmap", {{"devices", Json::array()}}},
          {"osd_metadata", metadata},
          {"config", config}};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double time_conf() {
  const std::string text =
      "[global]\nosd pool default size = 2\n[osd]\nosd max backfills = 8\ndebug osd = 20\n";
  const auto start = std::chrono::steady_clock::now();
  Facts facts;
  facts.release = "18.2.7";
  add_conf(read_ceph_conf(text, "ceph.conf"), &facts);
  const Advice advice = advise(facts);
  fmt::print("one ceph.conf: {} findings\n", advice.findings.size());
  return seconds_since(start);
}

double time_report(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  Facts facts;
  add_json(parse_json(text, "report"), "report", &facts);
  const Advice advice = advise(facts);
  const std::string words = advice_text(advice, true);
  fmt::print("report of {} MiB: {} findings, {} characters\n", text.size() >> 20, advice.findings.size(),
             words.size());
  return seconds_since(start);
}

}  // namespace

int main() {
  const double conf_s = time_conf();
  const std::string text = report().dump();
  const double report_s = time_report(text);
  fmt::print(
      "ceph.conf {:.1f} ms (limit 50), report {:.2f} s (limit 2), peak memory {:.0f} MiB (limit 500)\n",
      conf_s * 1000, report_s, peak_mib());
  return conf_s < 0.05 && report_s < 2 && peak_mib() < 500 ? 0 : 1;
}
