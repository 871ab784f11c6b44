#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "models/virtio/config.h"

namespace vp {
class Archive;
}

namespace vp::virtio {

/// The bytes of a disk: a file of the host, or zeros, and what has been written over them.
class Disk {
 public:
  static constexpr std::uint64_t kSector = 512;  ///< bytes

  /// Opens the file. Throws UserError if it cannot be used, or another run has it and one of both writes to it.
  explicit Disk(const BlockConfig& config);
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  std::uint64_t size() const { return size_; }  ///< bytes, a multiple of kSector
  bool read_only() const { return write_ == DiskWrites::none; }

  // Inside of the disk. false: the host has failed; see trouble().
  bool read(std::uint64_t position, std::uint8_t* bytes, std::uint64_t count);
  bool write(std::uint64_t position, const std::uint8_t* bytes, std::uint64_t count);
  /// What has been written survives a crash of the host.
  bool flush();

  /// A sentence of the first failure of the host, empty if there was none.
  const std::string& trouble() const { return trouble_; }
  std::uint64_t overlay_bytes() const { return overlay_.size() * kBlock; }
  /// Throws UserError where writes go to the file, whose contents are no part of a state.
  void persist(Archive& archive);

 private:
  static constexpr std::uint64_t kBlock = 4096;  // bytes of the overlay's blocks
  using Block = std::array<std::uint8_t, kBlock>;

  void open_file(const std::string& name);
  bool read_file(std::uint64_t position, std::uint8_t* bytes, std::uint64_t count);
  bool write_file(std::uint64_t position, const std::uint8_t* bytes, std::uint64_t count);
  bool write_overlay(std::uint64_t position, const std::uint8_t* bytes, std::uint64_t count);
  bool fail(const std::string& what, int error);

  const std::string name_;
  const DiskWrites write_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t changed_ = 0;               // when the file was, in nanoseconds
  std::map<std::uint64_t, Block> overlay_;  // by number
  std::string trouble_;
};

}  // namespace vp::virtio
