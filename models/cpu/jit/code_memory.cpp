#include "models/cpu/jit/code_memory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace vp::cpu {

CodeMemory::CodeMemory(std::size_t code, std::size_t data) : code_(code), data_(data) {
  void* const memory =
      mmap(nullptr, code + data, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  base_ = static_cast<std::uint8_t*>(memory);
  if (executes(0, code_)) return;
  munmap(base_, code_ + data_);
  base_ = nullptr;
}

CodeMemory::~CodeMemory() {
  if (base_) munmap(base_, code_ + data_);
}

bool CodeMemory::protect(std::size_t first, std::size_t size, bool write) {
  static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t start = first / page * page;
  return mprotect(base_ + start, first + size - start, PROT_READ | (write ? PROT_WRITE : PROT_EXEC)) == 0;
}

}  // namespace vp::cpu
