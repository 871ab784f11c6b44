#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vp {

class Archive;

/// Zeroed memory of the host that takes real pages only where it is touched.
class HostMemory {
 public:
  /// Throws UserError if the host has no `size` bytes of address space; `owner` names the memory in the sentence.
  HostMemory(std::size_t size, const std::string& owner);
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// All bytes zero again; gives the pages back.
  void clear();
  void persist(Archive& archive);

 private:
  std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace vp
