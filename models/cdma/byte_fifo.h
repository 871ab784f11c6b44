#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/common/archive.h"

namespace vp::cdma {

/// Bytes in the order in which they came, a ring of fixed room.
class ByteFifo {
 public:
  explicit ByteFifo(std::size_t room) : ring_(room) {}

  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  /// There must be room for them.
  void push(const std::uint8_t* bytes, std::size_t count) {
    const std::size_t end = (first_ + size_) % ring_.size();
    const std::size_t straight = std::min(count, ring_.size() - end);
    std::copy_n(bytes, straight, ring_.begin() + static_cast<std::ptrdiff_t>(end));
    std::copy_n(bytes + straight, count - straight, ring_.begin());
    size_ += count;
  }
  /// There must be so many.
  void pop(std::uint8_t* bytes, std::size_t count) {
    const std::size_t straight = std::min(count, ring_.size() - first_);
    std::copy_n(ring_.begin() + static_cast<std::ptrdiff_t>(first_), straight, bytes);
    std::copy_n(ring_.begin(), count - straight, bytes + straight);
    first_ = (first_ + count) % ring_.size();
    size_ -= count;
  }
  void persist(Archive& archive) {
    archive.fixed("ring", ring_).below("first", first_, ring_.size()).below("size", size_, ring_.size() + 1);
  }

 private:
  std::vector<std::uint8_t> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace vp::cdma
