#include "platform/files/stored_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "models/common/error.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace {

constexpr std::size_t kFew = 64 << 10;    // not worth a file
constexpr std::size_t kPiece = 64 << 10;  // still in the host's cache when it is looked at once more

/// Tells a content from another. Every step is reversible, so that a change in one place is never lost; several chains,
/// as a step waits for the one before.
class ContentDigest {
 public:
  /// Of 64 bytes or a multiple, but for the last call.
  void add(const std::uint8_t* bytes, std::size_t size) {
    std::size_t at = 0;
    for (; size - at >= kBytes; at += kBytes) add_words(bytes + at);
    std::array<std::uint8_t, kBytes> rest{};
    std::copy(bytes + at, bytes + size, rest.begin());
    if (at != size) add_words(rest.data());
  }
  std::uint64_t value() const {
    std::uint64_t value = 0;
    for (const std::uint64_t chain : chains_) value = mixed(value ^ chain);
    return value;
  }

 private:
  static constexpr std::size_t kChains = 8, kBytes = kChains * sizeof(std::uint64_t);
  static std::uint64_t mixed(std::uint64_t value) {
    value *= 0x9e37'79b9'7f4a'7c15u;
    return value ^ value >> 32;
  }
  void add_words(const std::uint8_t* bytes) {
    std::array<std::uint64_t, kChains> words;
    std::memcpy(words.data(), bytes, kBytes);
    for (std::size_t i = 0; i < kChains; ++i) chains_[i] = mixed(chains_[i] ^ words[i]);
  }

  std::array<std::uint64_t, kChains> chains_{1, 2, 3, 4, 5, 6, 7, 8};
};

}  // namespace

StoredBytes StoredBytes::of_file(const std::string& path) {
  struct stat status {};
  // Opened once only if it is a pipe, say; and the size of some files of the system is zero whatever they hold.
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= off_t{kFew})
    return {read_file(path)};
  StoredBytes stored;
  stored.file_ = std::make_shared<const Descriptor>(open_to_read(path, status));
  stored.size_ = static_cast<std::size_t>(status.st_size);
  stored.path_ = path;
  return stored;
}

void StoredBytes::fail(const char* what) const {
  throw UserError((path_.empty() ? "the copy of the program in a temporary file" : "the file '" + path_ + "'") + what);
}

/// Returns how many there were.
std::size_t StoredBytes::read(std::size_t offset, void* to, std::size_t size) const {
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got =
        ::pread(file_->get(), static_cast<std::uint8_t*>(to) + have, size - have, static_cast<off_t>(offset + have));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail((std::string(" cannot be read: ") + std::strerror(errno)).c_str());
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  return have;
}

std::string StoredBytes::first(std::size_t most) const {
  if (!file_) return bytes_.substr(0, most);
  std::string bytes(std::min(most, size_), '\0');
  bytes.resize(read(0, bytes.data(), bytes.size()));
  return bytes;
}

void StoredBytes::copy_to(std::uint8_t* to) {
  if (!file_) {
    std::copy(bytes_.begin(), bytes_.end(), to);
    return;
  }
  ContentDigest digest;
  std::size_t have = 0;
  for (std::size_t got = kPiece; got == kPiece && have < size_; have += got) {
    got = read(have, to + have, std::min(kPiece, size_ - have));
    digest.add(to + have, got);
  }
  if (have != size_ || digest_.value_or(digest.value()) != digest.value())
    fail(" has been changed since the run began: what was loaded first cannot be loaded again");
  digest_ = digest.value();
}

std::string StoredBytes::all() {
  if (!file_) return bytes_;
  std::string bytes(size_, '\0');
  copy_to(reinterpret_cast<std::uint8_t*>(bytes.data()));
  return bytes;
}

void StoredBytes::spool() {
  if (file_ || size_ <= kFew) return;
  std::FILE* const named = std::tmpfile();
  if (!named) return;
  auto file = std::make_shared<const Descriptor>(::dup(::fileno(named)));
  std::fclose(named);
  if (file->get() < 0 || file->write_all(bytes_) != 0) return;
  file_ = std::move(file);
  bytes_ = {};
}

}  // namespace vp
