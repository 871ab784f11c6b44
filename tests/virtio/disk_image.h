#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace vp {

/// A file of the host with bytes of its own, until the test ends.
class DiskImage {
 public:
  explicit DiskImage(std::size_t bytes) : name_(new_name()) {
    std::ofstream out(name_, std::ios::binary);
    for (std::size_t i = 0; i < bytes; ++i) out.put(static_cast<char>(i * 11 + i / 512 * 3));
  }
  ~DiskImage() { std::filesystem::remove(name_); }
  DiskImage(const DiskImage&) = delete;
  DiskImage& operator=(const DiskImage&) = delete;

  const std::string& name() const { return name_; }
  std::vector<std::uint8_t> bytes(std::size_t first, std::size_t count) const {
    std::ifstream in(name_, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(first));
    std::vector<char> read(count);
    in.read(read.data(), static_cast<std::streamsize>(count));
    return {read.begin(), read.begin() + in.gcount()};
  }
  void shorten(std::size_t bytes) const { std::filesystem::resize_file(name_, bytes); }

 private:
  static std::string new_name() {
    std::string name = testing::TempDir() + "disk_XXXXXX";
    close(mkstemp(name.data()));
    return name;
  }
  const std::string name_;
};

}  // namespace vp
