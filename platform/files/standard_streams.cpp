#include "platform/files/standard_streams.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <streambuf>
#include <utility>

#include "models/common/host_writer.h"
#include "platform/common/exit_code.h"

namespace vp {
namespace {

using Clock = std::chrono::steady_clock;

// As global as the streams themselves. Of the main thread.
std::function<int()> stop_asked;
std::optional<Clock::time_point> limit;
int stopped_with = kExitSuccess;  // what was asked for last: it holds for what is still to be written
int gave_up_with = kExitSuccess;

void look() {
  if (stop_asked && stopped_with == kExitSuccess) stopped_with = stop_asked();
}

/// Asked while a stream is full.
bool gives_up() {
  look();
  if (stopped_with == kExitSuccess && limit && Clock::now() >= *limit) stopped_with = kExitLimit;
  gave_up_with = stopped_with;
  return stopped_with != kExitSuccess;
}

/// Behind a FILE of standard error.
ssize_t write_error(void*, const char* bytes, std::size_t count) {
  static HostWriter writer(STDERR_FILENO, gives_up);
  writer.write(bytes, count);
  errno = writer.error();
  return writer.error() != 0 ? -1 : static_cast<ssize_t>(count);
}

}  // namespace

class StandardStreams::Buffer : public std::streambuf {
 public:
  /// held_back: text is gathered until flushed.
  Buffer(int descriptor, bool held_back) : writer_(descriptor, gives_up) {
    if (held_back) setp(bytes_.data(), bytes_.data() + bytes_.size());
  }

 protected:
  int sync() override {
    writer_.write(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(pbase(), epptr());
    errno = writer_.error();
    return writer_.error() != 0 ? -1 : 0;
  }
  int_type overflow(int_type letter) override {
    if (sync() != 0) return traits_type::eof();
    if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
    const char one = traits_type::to_char_type(letter);
    return xsputn(&one, 1) == 1 ? letter : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    if (count < epptr() - pptr()) {
      traits_type::copy(pptr(), text, static_cast<std::size_t>(count));
      pbump(static_cast<int>(count));
      return count;
    }
    if (sync() != 0) return 0;
    writer_.write(text, static_cast<std::size_t>(count));
    errno = writer_.error();
    return writer_.error() != 0 ? 0 : count;
  }

 private:
  HostWriter writer_;
  std::array<char, 1 << 12> bytes_;
};

StandardStreams::StandardStreams()
    : out_(std::make_unique<Buffer>(STDOUT_FILENO, isatty(STDOUT_FILENO) == 0)),
      error_(std::make_unique<Buffer>(STDERR_FILENO, false)),
      out_before_(std::cout.rdbuf(out_.get())),
      error_before_(std::cerr.rdbuf(error_.get())) {}

StandardStreams::~StandardStreams() {
  std::cout.flush();
  std::cout.rdbuf(out_before_);
  std::cerr.rdbuf(error_before_);
}

int StandardStreams::exit_code() { return gave_up_with; }

void StandardStreams::give_up_when(std::function<int()> asked) {
  look();
  stop_asked = std::move(asked);
}

void StandardStreams::give_up_after(std::chrono::duration<double> timeout) {
  limit.reset();
  if (timeout.count() > 0) limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
}

std::FILE* StandardStreams::open_error_file() {
  std::FILE* const file = fopencookie(nullptr, "w", {nullptr, write_error, nullptr, nullptr});
  if (file != nullptr) std::setvbuf(file, nullptr, _IONBF, 0);
  return file;
}

}  // namespace vp
