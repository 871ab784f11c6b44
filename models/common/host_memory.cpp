#include "models/common/host_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "models/common/archive.h"
#include "models/common/error.h"

namespace vp {

HostMemory::HostMemory(std::size_t size, const std::string& owner) : data_(nullptr), size_(size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw UserError("the host cannot give " + std::to_string(size) + " bytes for " + owner + ": " +
                    std::strerror(errno));
  data_ = static_cast<std::uint8_t*>(memory);
}

HostMemory::~HostMemory() { munmap(data_, size_); }

void HostMemory::clear() {
  // Private anonymous pages read as zero after this.
  if (madvise(data_, size_, MADV_DONTNEED) != 0) std::memset(data_, 0, size_);
}

void HostMemory::persist(Archive& archive) { archive.sparse("contents", data_, size_); }

}  // namespace vp
