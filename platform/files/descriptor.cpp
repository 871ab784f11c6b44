#include "platform/files/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "models/common/error.h"

namespace vp {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

int Descriptor::close() {
  const int fd = fd_;
  fd_ = -1;
  return ::close(fd) == 0 ? 0 : errno;
}

int Descriptor::write_all(std::string_view content) const {
  while (!content.empty()) {
    const ssize_t written = ::write(fd_, content.data(), content.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void fail_on_file(const char* what, const std::string& path, int error) {
  throw UserError("cannot " + std::string(what) + " '" + path + "': " + std::strerror(error));
}

Descriptor open_to_read(const std::string& path, struct stat& status) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) fail_on_file("read", path, errno);
  if (S_ISDIR(status.st_mode)) fail_on_file("read", path, EISDIR);
  return file;
}

}  // namespace vp
