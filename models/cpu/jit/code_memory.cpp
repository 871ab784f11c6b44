#include "models/cpu/jit/code_memory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace vp::cpu {

CodeMemory::CodeMemory(std::size_t code, std::size_t large, std::size_t data)
    : code_(code), large_(large), size_(code + data + kLargePage) {
  void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  memory_ = static_cast<std::uint8_t*>(memory);
  base_ = memory_ + (kLargePage - reinterpret_cast<std::uintptr_t>(memory_) % kLargePage);
  ask_for_large_pages(base_ + kLargePage, large_ - kLargePage);
  if (!executes(0, code_)) base_ = nullptr;
}

CodeMemory::~CodeMemory() {
  if (memory_) munmap(memory_, size_);
}

/// A large page has one protection, or it would have to be divided.
bool CodeMemory::protect(std::size_t first, std::size_t size, bool write) {
  static const std::size_t small = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t page = first >= kLargePage && first < large_ ? kLargePage : small;
  const std::size_t start = first / page * page;
  const std::size_t end = (first + size + page - 1) / page * page;
  return mprotect(base_ + start, end - start, PROT_READ | (write ? PROT_WRITE : PROT_EXEC)) == 0;
}

}  // namespace vp::cpu
