#pragma once

#include <cstddef>
#include <cstdint>

#include "models/common/large_pages.h"

namespace vp::cpu {

/// Memory for machine code, with memory for the data that it reads close enough for relative addresses. The code is
/// never writable and executable at once: it is executable but while somebody writes(). The system gives real memory
/// to what is used of it only, and is asked to do so by large pages between the first kLargePage bytes and `large`,
/// where there is much code: the host finds its way about that with few translations.
class CodeMemory {
 public:
  CodeMemory(std::size_t code, std::size_t large, std::size_t data);
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  /// False: the system refused it.
  bool usable() const { return base_ != nullptr; }
  std::uint8_t* code() const { return base_; }
  std::size_t code_size() const { return code_; }
  std::uint8_t* data() const { return base_ + code_; }

  /// These bytes of the code may be written, and the pages that they are in not executed, until executes() is called
  /// with the same. False: the system refused it.
  bool writes(std::size_t first, std::size_t size) { return protect(first, size, true); }
  bool executes(std::size_t first, std::size_t size) { return protect(first, size, false); }

 private:
  bool protect(std::size_t first, std::size_t size, bool write);

  std::size_t code_;
  std::size_t large_;
  std::size_t size_;
  std::uint8_t* memory_ = nullptr;
  std::uint8_t* base_ = nullptr;  ///< the first large page of it
};

}  // namespace vp::cpu
