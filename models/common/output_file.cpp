#include "models/common/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "models/common/error.h"

namespace vp {

OutputFile::OutputFile(const std::string& path) : descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
  const bool missing = descriptor_ < 0 && errno == ENOENT;
  if (missing) descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw UserError("cannot write '" + path + "': " + std::strerror(errno));
  if (missing) made_ = std::filesystem::canonical(path).string();  // a symbolic link to it survives
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!made_.empty()) ::unlink(made_.c_str());
}

int OutputFile::begin() {
  [[maybe_unused]] const int refused = ::ftruncate(descriptor_, 0);  // by devices and pipes, which have no length
  return std::exchange(descriptor_, -1);
}

}  // namespace vp
