// SPDX-License-Identifier: Apache-2.0
// The files of knowledge/data as compiled into the program.
#pragma once

#include <string>
#include <vector>

namespace osdtune {

/// One data file: path below knowledge/data and its text.
struct EmbeddedFile {
  std::string name;
  std::string text;
};

/// All files, ordered by name. Generated at build time (cmake/EmbedData.cmake).
std::vector<EmbeddedFile> embedded_files();

}  // namespace osdtune
