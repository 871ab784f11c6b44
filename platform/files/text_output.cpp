#include "platform/files/text_output.h"

#include <cerrno>
#include <cstring>

#include "models/common/error.h"
#include "platform/files/standard_streams.h"

namespace vp {

TextOutput::TextOutput(const std::string& path) : path_(path) {
  if (!path.empty() && path != "-") pending_.emplace(path);
}

void TextOutput::begin() {
  file_.reset(pending_ ? ::fdopen(pending_->begin(), "w") : StandardStreams::open_error_file());
}

void TextOutput::close() {
  if (!file_) return;
  std::FILE* file = file_.release();
  const bool failed = std::ferror(file) != 0 || std::fflush(file) != 0;
  const int error = errno;
  std::fclose(file);
  if (failed && pending_) throw UserError("cannot write '" + path_ + "': " + std::strerror(error ? error : EIO));
}

}  // namespace vp
