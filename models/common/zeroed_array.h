#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "models/common/host_memory.h"

namespace vp {

/// Many elements, zero at first, of which a run may use few or none: only those that are touched take memory of the
/// host, and only they cost time when it is made. Their number does not change.
template <typename T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Throws UserError if the host has no address space for them; `owner` names them in the sentence.
  ZeroedArray(std::size_t size, const std::string& owner) : memory_(size * sizeof(T), owner) {}
  ZeroedArray(const ZeroedArray& other) : ZeroedArray(other.size(), "a copy") {
    std::copy(other.begin(), other.end(), data());
  }
  ZeroedArray& operator=(const ZeroedArray&) = delete;

  T* data() { return reinterpret_cast<T*>(memory_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }
  std::size_t size() const { return memory_.size() / sizeof(T); }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& operator[](std::size_t index) const { return data()[index]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  /// All elements zero again; gives their memory back.
  void clear() { memory_.clear(); }
  void persist(Archive& archive) { memory_.persist(archive); }

 private:
  HostMemory memory_;
};

}  // namespace vp
