#include "platform/files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "models/common/error.h"
#include "models/common/large_pages.h"
#include "platform/files/descriptor.h"

namespace vp {

namespace {

bool exists_as_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Where a symbolic link leads, so that the link itself survives the rename.
std::string resolved(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error || !std::filesystem::is_symlink(path, error) ? path : target.string();
}

/// A new empty file beside `path`; its name is left in `name`. Returns -1 with errno.
int open_temporary(const std::string& path, std::string& name) {
  name = path + ".XXXXXX";
  const int fd = ::mkstemp(name.data());
  if (fd >= 0) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(fd, 0666 & ~mask) != 0) errno = 0;  // only the permissions differ then
  }
  return fd;
}

void write_in_place(const std::string& path, int fd, std::string_view content) {
  Descriptor file(fd);
  if (fd < 0) fail_on_file("write", path, errno);
  int error = file.write_all(content);
  if (const int closing = file.close(); error == 0) error = closing;
  if (error != 0) fail_on_file("write", path, error);
}

}  // namespace

void check_writable(const std::string& path) {
  if (path == "-") return;
  if (exists_as_special(path)) {
    if (::access(path.c_str(), W_OK) != 0 || std::filesystem::is_directory(path))
      fail_on_file("write", path, std::filesystem::is_directory(path) ? EISDIR : errno);
    return;
  }
  std::string name;
  const Descriptor file(open_temporary(resolved(path), name));
  if (file.get() < 0) fail_on_file("write", path, errno);
  ::unlink(name.c_str());
}

void write_file(const std::string& path, const std::string& content) {
  if (path == "-") {
    std::cout.flush();  // what was printed before comes first
    return write_in_place("standard output", ::dup(STDOUT_FILENO), content);
  }
  if (exists_as_special(path)) return write_in_place(path, ::open(path.c_str(), O_WRONLY | O_CLOEXEC), content);
  const std::string target = resolved(path);
  std::string name;
  Descriptor file(open_temporary(target, name));
  if (file.get() < 0) fail_on_file("write", path, errno);
  int error = file.write_all(content);
  if (const int closing = file.close(); error == 0) error = closing;
  if (error == 0 && std::rename(name.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(name.c_str());
    fail_on_file("write", path, error);
  }
}

void write_file_as(const std::string& part, const std::string& path, const std::string& content) {
  try {
    write_in_place(part, ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), content);
    if (std::rename(part.c_str(), path.c_str()) != 0) fail_on_file("write", path, errno);
  } catch (const UserError&) {
    ::unlink(part.c_str());
    throw;
  }
}

std::string read_file(const std::string& path, std::size_t limit) {
  struct stat status {};
  const Descriptor file = open_to_read(path, status);
  // Its size is only a hint: a pipe has none, and a file may grow.
  const std::size_t expected = std::min(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)), limit);
  std::string content;
  content.reserve(expected);
  ask_for_large_pages(content.data(), expected);
  content.resize(expected);
  std::size_t size = 0;
  std::array<char, std::size_t{1} << 14> more{};
  for (;;) {
    const bool has_room = size < content.size();
    const ssize_t got = has_room ? ::read(file.get(), content.data() + size, content.size() - size)
                                 : ::read(file.get(), more.data(), more.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_on_file("read", path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (!has_room) content.append(more.data(), static_cast<std::size_t>(got));
    if (size > limit)
      throw UserError("cannot read '" + path + "': it is larger than " + std::to_string(limit >> 20) + " MiB");
  }
  content.resize(size);
  return content;
}

}  // namespace vp
