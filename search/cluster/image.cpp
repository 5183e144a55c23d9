// SPDX-License-Identifier: Apache-2.0
// librbd through its C interface.
#include "search/cluster/image.hpp"

#include <fmt/format.h>
#include <rados/librados.h>
#include <rbd/features.h>
#include <rbd/librbd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <vector>

#include "core/random.hpp"

namespace osdtune {
namespace {

constexpr const char* kWrittenMark = "osdtune_written";
constexpr std::int64_t kWriteBytes = 4 << 20;
constexpr std::size_t kInFlight = 16;
constexpr std::uint64_t kDataSeed = 1;  // any: the data only has to be incompressible

/// I/O context of one pool.
class PoolContext {
 public:
  PoolContext(const RadosClient& client, const std::string& pool) {
    check_rados(rados_ioctx_create(client.handle(), pool.c_str(), &context_), fmt::format("pool '{}'", pool));
  }
  ~PoolContext() { rados_ioctx_destroy(context_); }
  PoolContext(const PoolContext&) = delete;
  PoolContext& operator=(const PoolContext&) = delete;
  rados_ioctx_t get() const { return context_; }

 private:
  rados_ioctx_t context_ = nullptr;
};

/// One open image.
class OpenImage {
 public:
  OpenImage(const PoolContext& pool, const std::string& name) {
    check_rados(rbd_open(pool.get(), name.c_str(), &image_, nullptr),
                fmt::format("opening image '{}'", name));
  }
  ~OpenImage() { rbd_close(image_); }
  OpenImage(const OpenImage&) = delete;
  OpenImage& operator=(const OpenImage&) = delete;
  rbd_image_t get() const { return image_; }

 private:
  rbd_image_t image_ = nullptr;
};

/// Writes in flight on one image, the oldest first. The data must outlive it.
class Writes {
 public:
  explicit Writes(rbd_image_t image) : image_(image) {}
  ~Writes() {
    for (rbd_completion_t write : pending_) {
      rbd_aio_wait_for_complete(write);
      rbd_aio_release(write);
    }
  }
  Writes(const Writes&) = delete;
  Writes& operator=(const Writes&) = delete;

  void start(std::int64_t offset, std::size_t length, const char* data) {
    rbd_completion_t write = nullptr;
    check_rados(rbd_aio_create_completion(nullptr, nullptr, &write), "writing the image");
    const int code = rbd_aio_write(image_, static_cast<std::uint64_t>(offset), length, data, write);
    if (code < 0) rbd_aio_release(write);
    check_rados(code, "writing the image");
    pending_.push_back(write);
    if (pending_.size() >= kInFlight) finish_oldest();
  }
  void finish_all() {
    while (!pending_.empty()) finish_oldest();
  }

 private:
  void finish_oldest() {
    rbd_completion_t write = pending_.front();
    pending_.pop_front();
    rbd_aio_wait_for_complete(write);
    const auto code = rbd_aio_get_return_value(write);
    rbd_aio_release(write);
    check_rados(static_cast<int>(code), "writing the image");
  }

  rbd_image_t image_;
  std::deque<rbd_completion_t> pending_;
};

/// Creates the image; false if there is one of that name already.
bool create(const PoolContext& pool, const std::string& name, std::int64_t bytes) {
  rbd_image_options_t options = nullptr;
  rbd_image_options_create(&options);
  rbd_image_options_set_uint64(options, RBD_IMAGE_OPTION_FORMAT, 2);
  rbd_image_options_set_uint64(options, RBD_IMAGE_OPTION_FEATURES, RBD_FEATURE_LAYERING);
  const int code = rbd_create4(pool.get(), name.c_str(), static_cast<std::uint64_t>(bytes), options);
  rbd_image_options_destroy(options);
  if (code == -EEXIST) return false;
  check_rados(code, fmt::format("creating image '{}'", name),
              code == -EOPNOTSUPP ? "the OSDs cannot load the rbd class (is osd_class_dir right?)" : "");
  return true;
}

std::string written_mark(const OpenImage& image) {
  std::array<char, 64> value{};
  std::size_t length = value.size();
  const int code = rbd_metadata_get(image.get(), kWrittenMark, value.data(), &length);
  return code < 0 ? "" : std::string(value.data());
}

/// Random bytes; each write takes a window at another offset, so that no two neighbours are alike.
std::vector<char> random_data() {
  constexpr std::int64_t kSlack = 1 << 20;
  Random random(kDataSeed);
  std::vector<char> data(static_cast<std::size_t>(kWriteBytes + kSlack));
  for (char& byte : data) byte = static_cast<char>(1 + random.index(255));
  return data;
}

void write_all(const OpenImage& image, std::int64_t bytes) {
  const std::vector<char> data = random_data();
  const auto slack = static_cast<std::int64_t>(data.size()) - kWriteBytes;
  Writes writes(image.get());
  for (std::int64_t offset = 0; offset < bytes; offset += kWriteBytes) {
    const std::int64_t window = (offset / kWriteBytes * 4097) % slack;
    writes.start(offset, static_cast<std::size_t>(std::min(kWriteBytes, bytes - offset)),
                 data.data() + window);
  }
  writes.finish_all();
  check_rados(rbd_flush(image.get()), "flushing the image");
}

}  // namespace

void write_image(const RadosClient& client, const std::string& pool, const std::string& name,
                 std::int64_t bytes) {
  const PoolContext context(client, pool);
  const bool created = create(context, name, bytes);
  const OpenImage image(context, name);
  std::uint64_t size = 0;
  check_rados(rbd_get_size(image.get(), &size), fmt::format("size of image '{}'", name));
  if (static_cast<std::int64_t>(size) != bytes)
    throw Error(ErrorKind::kCluster,
                fmt::format("image {}/{} has {} bytes, not the {} asked for", pool, name, size, bytes),
                "remove that image, or name another pool");
  const std::string mark = std::to_string(bytes);
  if (!created && written_mark(image) == mark) return;
  write_all(image, bytes);
  check_rados(rbd_metadata_set(image.get(), kWrittenMark, mark.c_str()), "marking the image as written");
}

}  // namespace osdtune
