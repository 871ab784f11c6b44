#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "platform/files/descriptor.h"

namespace vp {

/// Bytes that are copied into memory, and likely once only, but perhaps again: many of them take no memory of their own
/// meanwhile, as they stay in a file.
class StoredBytes {
 public:
  StoredBytes() = default;
  StoredBytes(std::string bytes) : size_(bytes.size()), bytes_(std::move(bytes)) {}
  /// A whole file. Read anew each time if it is a regular one: whoever replaces it does no harm, and if its content is
  /// changed in place, that is an error with the next copy, never another content. Throws UserError.
  static StoredBytes of_file(const std::string& path);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The first bytes, `most` if there are so many. Throws UserError.
  std::string first(std::size_t most) const;
  /// All of them; every time the same. Throws UserError if they have been changed, or cannot be read any more.
  void copy_to(std::uint8_t* to);
  std::string all();
  /// Puts what is held in memory, if it is much, into a file without a name. Where there can be none it stays.
  void spool();

 private:
  [[noreturn]] void fail(const char* what) const;
  std::size_t read(std::size_t offset, void* to, std::size_t size) const;

  std::size_t size_ = 0;
  std::string bytes_;  ///< without a file
  std::shared_ptr<const Descriptor> file_;
  std::string path_;                     ///< for messages
  std::optional<std::uint64_t> digest_;  ///< of the content of the file when it was copied first
};

}  // namespace vp
