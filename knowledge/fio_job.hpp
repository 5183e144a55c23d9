// SPDX-License-Identifier: Apache-2.0
// What a fio job file asks for and what a fio result says was run, as facts about a benchmark.
#pragma once

#include <string>
#include <string_view>

#include "core/json_file.hpp"
#include "knowledge/facts.hpp"

namespace osdtune {

/// True for INI text in which some section has an ioengine or a rw key.
bool looks_like_fio_job(std::string_view text);

/// One load per job section; options of [global] sections before it are inherited.
void add_fio_job(std::string_view text, const std::string& file, Facts* facts);

/// One load per job of `fio --output-format=json`, with the options it ran with.
void add_fio_result(const Json& json, const std::string& file, Facts* facts);

}  // namespace osdtune
