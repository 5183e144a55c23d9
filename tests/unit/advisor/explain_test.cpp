// SPDX-License-Identifier: Apache-2.0
// An option is explained with what it does, when it takes effect in truth, and what it moves.
#include "advisor/explain.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.hpp"

using namespace osdtune;

namespace {

std::string text_of(const std::string& option, const std::string& release = "", const HostFacts& host = {}) {
  return explanation_text(explain_option(option, release, host));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an explanation tells the truth where the flags do not") {
  const std::string text = text_of("ms_async_op_threads");
  CHECK(has(text, "after a restart, although `ceph config help` says"));
  CHECK(has(text, "pool:messenger"));
  CHECK(has(text, "1 to 24"));
}

TEST_CASE("defaults are listed over the releases and by kind of drive") {
  const std::string text = text_of("osd_op_num_shards_hdd");
  CHECK(has(text, "16.2.0: 5; 18.2.5: 1; 19.2.0: 5; 19.2.1: 1"));
  CHECK(has(text_of("osd_op_num_shards", "17.2.6"), "on hard disks 5"));
}

TEST_CASE("what must never be searched is said to be dangerous and has no range") {
  const std::string text = text_of("osd_pool_default_size");
  CHECK(has(text, "risks data"));
  CHECK_FALSE(has(text, "worth trying"));
}

TEST_CASE("the range worth trying follows the host") {
  CHECK(has(text_of("osd_op_num_shards", "", {.threads = 6}), "1 to 6 with 6 CPU threads"));
  CHECK(has(text_of("osd_memory_target", "", {.memory_bytes = 64.0 * (1 << 30)}), "51.2 GiB"));
}

TEST_CASE("names are accepted as people write them, and unknown ones answered with the nearest") {
  CHECK(has(text_of("osd max backfills"), "osd_max_backfills"));
  CHECK_THROWS_WITH_AS(text_of("osd_qqzz_frobnicate"), doctest::Contains("no release of Ceph"), Error);
  try {
    text_of("osd_op_num_shard");
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(has(e.hint(), "osd_op_num_shards"));
  }
}

TEST_CASE("an option of other releases only is told apart from one that never was") {
  CHECK_THROWS_WITH_AS(text_of("osd_mclock_cost_per_io_usec", "18.2.7"),
                       doctest::Contains("other releases have"), Error);
}

TEST_CASE("options without a description are explained by their facts") {
  CHECK(has(text_of("osd_max_pgls"), "No description"));
  CHECK(has(text_of("osd_max_pgls"), "treat it as needing a restart"));
}
