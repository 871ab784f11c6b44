#include "platform/cli/share_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/common/child_process.h"

namespace vp {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kBlock = 4096;

struct FolderSize {
  std::uint64_t bytes = 0;  ///< in whole blocks
  std::uint64_t entries = 1;
};

FolderSize size_of(const fs::path& folder) {
  FolderSize size;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    ++size.entries;
    const bool has_bytes = !entry.is_symlink() && entry.is_regular_file();
    size.bytes += (1 + (has_bytes ? (entry.file_size() + kBlock - 1) / kBlock : 0)) * kBlock;
  }
  return size;
}

/// Bytes of an image that holds it, with room for what the guest adds.
std::uint64_t image_size(const FolderSize& size) {
  constexpr std::uint64_t kRoom = 32 << 20, kMiB = 1 << 20;
  return (size.bytes + size.bytes / 8 + size.entries * 512 + kRoom + kMiB - 1) / kMiB * kMiB;
}

/// A file without a name, where temporary files belong, or else in memory.
int open_nameless() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  const int file = error ? -1 : ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  return file >= 0 ? file : ::memfd_create("share", MFD_CLOEXEC);
}

/// mke2fs is where only root looks for programs.
std::string mke2fs() {
  std::error_code error;
  for (const char* path : {"/sbin/mke2fs", "/usr/sbin/mke2fs"})
    if (fs::exists(path, error)) return path;
  return "mke2fs";
}

std::string first_line(const std::string& text) { return text.substr(0, std::min(text.find('\n'), std::size_t{200})); }

}  // namespace

ShareImage::ShareImage(const std::string& folder) {
  const std::string what = "--share " + quoted(folder) + ": ";
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw UserError(what + "there is no such folder");
  FolderSize size;
  try {
    size = size_of(folder);
  } catch (const fs::filesystem_error& failure) {
    throw UserError(what + "cannot read " + quoted(failure.path1().string()) + ": " + failure.code().message());
  }
  file_ = open_nameless();
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(image_size(size))) != 0)
    throw UserError(what + "no temporary file for its image: " + std::strerror(errno));
  std::string output;
  // The same folder makes the same image: no time of its making, no random names.
  const std::string constant = "6d5f0f3e-7d3c-4b0e-9a53-3f6f9a1b2c4d";
  const std::vector<std::string> command = {"env",
                                            "E2FSPROGS_FAKE_TIME=1",
                                            mke2fs(),
                                            "-q",
                                            "-F",
                                            "-t",
                                            "ext4",
                                            "-L",
                                            "share",
                                            "-O",
                                            "^has_journal",
                                            "-U",
                                            constant,
                                            "-E",
                                            "hash_seed=" + constant + ",root_owner=0:0,lazy_itable_init=1",
                                            "-m",
                                            "0",
                                            "-N",
                                            std::to_string(size.entries + size.entries / 8 + 1024),
                                            "-d",
                                            folder,
                                            "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_)};
  const ChildEnd end = run_captured(command, output);
  if (end.exit_code == 127)
    throw UserError(what + "there is no mke2fs, which makes its image: install Debian's package e2fsprogs");
  if (!end.success()) throw UserError(what + "mke2fs made no image of it: " + first_line(output));
}

ShareImage::~ShareImage() {
  if (file_ >= 0) ::close(file_);
}

std::string ShareImage::path() const { return "/proc/self/fd/" + std::to_string(file_); }

}  // namespace vp
