#include "models/virtio/disk.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/wording.h"

namespace vp::virtio {

Disk::Disk(const BlockConfig& config)
    : name_(config.file), write_(config.file.empty() ? DiskWrites::overlay : config.write), size_(config.size) {
  if (!name_.empty()) open_file(name_);
}

Disk::~Disk() {
  if (file_ >= 0) close(file_);
}

void Disk::open_file(const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    if (file_ >= 0) close(file_);
    throw UserError("the disk image " + quoted(name) + " cannot be used: " + why + ".");
  };
  file_ = open(name.c_str(), (write_ == DiskWrites::file ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (file_ < 0) refuse(std::strerror(errno));
  struct stat status {};
  if (fstat(file_, &status) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) refuse("it is neither a file nor a disk");
  const off_t end = lseek(file_, 0, SEEK_END);
  if (end < 0) refuse(std::strerror(errno));
  size_ = static_cast<std::uint64_t>(end);
  if (size_ == 0 || size_ % kSector != 0)
    refuse("its size is " + counted(size_, "byte") + ", and a disk has whole sectors of " + std::to_string(kSector));
  // Whoever only reads shares the file; nobody else may have it while somebody writes.
  if (flock(file_, (write_ == DiskWrites::file ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    refuse("another run has it, and one of both writes to it");
  changed_ = static_cast<std::uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
             static_cast<std::uint64_t>(status.st_mtim.tv_nsec);
}

bool Disk::fail(const std::string& what, int error) {
  if (trouble_.empty())
    trouble_ = "the host could not " + what + " the disk image " + quoted(name_) + ": " + std::strerror(error);
  return false;
}

bool Disk::read(std::uint64_t position, std::uint8_t* bytes, std::uint64_t count) {
  while (count != 0) {
    const std::uint64_t number = position / kBlock, offset = position % kBlock;
    std::uint64_t part = std::min(count, kBlock - offset);
    const auto found = overlay_.lower_bound(number);
    if (found != overlay_.end() && found->first == number) {
      std::memcpy(bytes, found->second.data() + offset, part);
    } else {  // as far as nothing has been written
      part = found == overlay_.end() ? count : std::min(count, found->first * kBlock - position);
      if (!read_file(position, bytes, part)) return false;
    }
    position += part;
    bytes += part;
    count -= part;
  }
  return true;
}

bool Disk::read_file(std::uint64_t position, std::uint8_t* bytes, std::uint64_t count) {
  if (file_ < 0) {
    std::memset(bytes, 0, count);
    return true;
  }
  while (count != 0) {
    const ssize_t done = pread(file_, bytes, count, static_cast<off_t>(position));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail("read", errno);
    if (done == 0) {
      if (trouble_.empty()) trouble_ = "the disk image " + quoted(name_) + " has become shorter during the run";
      return false;
    }
    position += static_cast<std::uint64_t>(done);
    bytes += done;
    count -= static_cast<std::uint64_t>(done);
  }
  return true;
}

bool Disk::write(std::uint64_t position, const std::uint8_t* bytes, std::uint64_t count) {
  return write_ == DiskWrites::file ? write_file(position, bytes, count) : write_overlay(position, bytes, count);
}

bool Disk::write_file(std::uint64_t position, const std::uint8_t* bytes, std::uint64_t count) {
  while (count != 0) {
    const ssize_t done = pwrite(file_, bytes, count, static_cast<off_t>(position));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail("write", errno);
    position += static_cast<std::uint64_t>(done);
    bytes += done;
    count -= static_cast<std::uint64_t>(done);
  }
  return true;
}

bool Disk::write_overlay(std::uint64_t position, const std::uint8_t* bytes, std::uint64_t count) {
  while (count != 0) {
    const std::uint64_t number = position / kBlock, offset = position % kBlock;
    const std::uint64_t part = std::min(count, kBlock - offset);
    auto found = overlay_.find(number);
    if (found == overlay_.end()) {
      Block block{};  // its other bytes are the file's
      const std::uint64_t there = std::min(kBlock, size_ - number * kBlock);
      if (part < there && !read_file(number * kBlock, block.data(), there)) return false;
      found = overlay_.emplace(number, block).first;
    }
    std::memcpy(found->second.data() + offset, bytes, part);
    position += part;
    bytes += part;
    count -= part;
  }
  return true;
}

bool Disk::flush() {
  if (write_ != DiskWrites::file) return true;
  while (fdatasync(file_) != 0)
    if (errno != EINTR) return fail("flush", errno);
  return true;
}

void Disk::persist(Archive& archive) {
  if (write_ == DiskWrites::file)
    throw UserError("what the guest has written to the disk image " + quoted(name_) +
                    " is in the file and not in a saved state: let its writes go to an overlay.");
  archive.same("size", size_).same("changed", changed_);
  archive("overlay", overlay_);
  if (archive.loading())
    for (const auto& [number, block] : overlay_) archive.require(number * kBlock < size_, "overlay", "is out of range");
}

}  // namespace vp::virtio
