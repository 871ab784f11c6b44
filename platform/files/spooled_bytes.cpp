#include "platform/files/spooled_bytes.h"

#include <algorithm>
#include <utility>

#include "models/common/error.h"

namespace vp {

namespace {

constexpr std::size_t kFew = 64 << 10;  // not worth a file

}  // namespace

SpooledBytes::SpooledBytes(std::string bytes) : size_(bytes.size()) {
  if (size_ > kFew) file_.reset(std::tmpfile());
  const bool written =
      file_ && std::fwrite(bytes.data(), 1, size_, file_.get()) == size_ && std::fflush(file_.get()) == 0;
  if (written) return;
  file_.reset();
  bytes_ = std::move(bytes);
}

void SpooledBytes::copy_to(std::uint8_t* to) const {
  if (!file_) {
    std::copy(bytes_.begin(), bytes_.end(), to);
    return;
  }
  std::rewind(file_.get());
  if (std::fread(to, 1, size_, file_.get()) != size_)
    throw UserError("the copy of the program in a temporary file cannot be read any more");
}

}  // namespace vp
