# SPDX-License-Identifier: Apache-2.0
# Compiles the JSON files below a folder into a library, so that the program needs no data directory at run time.

# osdtune_embed(TARGET FOLDER): defines `std::vector<EmbeddedFile> embedded_files()` (knowledge/embedded.hpp).
function(osdtune_embed target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.json)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_data.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DROOT=${PROJECT_SOURCE_DIR}/${folder} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
