// SPDX-License-Identifier: Apache-2.0
// The files that make a lab's daemons a cluster: ceph.conf and keyrings.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "search/cluster/lab_state.hpp"

namespace osdtune {

/// A new random cephx secret (AES, 16 bytes) in the base64 form of keyrings.
std::string make_cephx_key();
/// Random UUID in text form.
std::string make_uuid();

/// One keyring entry; `caps` by service ("mon" to "allow *").
std::string keyring_entry(const std::string& name, const std::string& key,
                          const std::map<std::string, std::string>& caps);

/// ceph.conf of the lab. Settings that someone may want to search stay out of it: a value there hides the one
/// in the monitors' store.
std::string lab_conf_text(const std::filesystem::path& lab, const LabState& state);

/// Makes the folders, ceph.conf, and the keyrings of monitor, manager and client.admin (mode 0600).
void write_lab_config(const std::filesystem::path& lab, const LabState& state);

/// Writes a file that only its owner may read.
void write_secret(const std::filesystem::path& path, const std::string& text);

}  // namespace osdtune
