#pragma once

#include <cstddef>
#include <cstdint>

namespace vp::cpu {

/// Memory for machine code, with memory for the data that it reads close enough for relative addresses. The code is
/// never writable and executable at once: it is executable but while somebody writes(). The system gives real memory
/// to what is used of it only.
class CodeMemory {
 public:
  CodeMemory(std::size_t code, std::size_t data);
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  /// False: the system refused it.
  bool usable() const { return base_ != nullptr; }
  std::uint8_t* code() const { return base_; }
  std::size_t code_size() const { return code_; }
  std::uint8_t* data() const { return base_ + code_; }
  std::size_t data_size() const { return data_; }

  /// These bytes of the code may be written, and the pages that they are in not executed, until executes() is called
  /// with the same. False: the system refused it.
  bool writes(std::size_t first, std::size_t size) { return protect(first, size, true); }
  bool executes(std::size_t first, std::size_t size) { return protect(first, size, false); }

 private:
  bool protect(std::size_t first, std::size_t size, bool write);

  std::size_t code_;
  std::size_t data_;
  std::uint8_t* base_ = nullptr;
};

}  // namespace vp::cpu
