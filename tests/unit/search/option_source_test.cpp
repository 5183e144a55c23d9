// SPDX-License-Identifier: Apache-2.0
// A cluster's own word about its options against the catalogue's.
#include "search/option_source.hpp"

#include <doctest/doctest.h>

#include "tests/unit/search/builders.hpp"

using namespace osdtune;
using namespace osdtune::test;

TEST_CASE("where a cluster's default is another than the catalogue's, that is said") {
  const Catalogue catalogue = load_catalogue();
  SimCluster cluster("18.2.7", 2,
                     {{.help = {.name = "ms_async_op_threads", .type = "uint", .default_value = "5"}},
                      {.help = {.name = "osd_client_message_cap", .type = "uint", .default_value = "256"}}});
  const auto said = [&](const char* name) {
    return catalogue_difference(catalogue, cluster, "18.2.7", name);
  };
  CHECK(said("ms_async_op_threads") == "ms_async_op_threads: default 5 here, 3 in the catalogue");
  CHECK(!said("osd_client_message_cap"));
  CHECK(said("osd_op_num_shards") ==
        "osd_op_num_shards: in the catalogue, but this cluster does not know it");
  CHECK(!said("debug_osd"));
  CHECK(!said("no_such_option"));
}
