#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

namespace vp {

/// A file descriptor that closes itself; below zero: none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return fd_; }
  /// Some file systems report a full disk only here. Returns errno or 0.
  int close();
  /// Returns errno or 0.
  int write_all(std::string_view content) const;

 private:
  int fd_;
};

/// Throws UserError: cannot read (write ...) the file, with the system's reason.
[[noreturn]] void fail_on_file(const char* what, const std::string& path, int error);

/// A file that is no folder, and what the system says of it. Throws UserError.
Descriptor open_to_read(const std::string& path, struct stat& status);

}  // namespace vp
