#include "models/common/host_console.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "models/common/error.h"
#include "models/common/wording.h"

namespace vp {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;
constexpr std::uint8_t kCtrlD = 4;

UserError failure(const std::string& what, const std::string& name, int error) {
  return UserError("cannot " + what + " " + name + ": " + std::strerror(error));
}

std::string read_file(int descriptor, const std::string& name) {
  std::string contents;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count == 0) return contents;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw failure("read", name, errno);
    contents.append(part.data(), static_cast<std::size_t>(count));
  }
}

/// Nothing ever comes from it: there is no need to wait for that.
bool is_null_device(const struct stat& status) { return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3); }

}  // namespace

HostConsole::HostConsole(const std::string& input, const std::string& output, std::function<void()> arrived,
                         const StopRequest* stop)
    : stop_(stop), arrived_(std::move(arrived)) {
  open_output(output);
  open_input(input);
}

HostConsole::~HostConsole() {
  stream_.reset();  // its thread uses the descriptor
  write_out();
  if (owns_output_) close(output_);
  if (owns_input_) close(input_);
}

void HostConsole::open_output(const std::string& output) {
  if (output.empty()) return;
  output_name_ = output == "-" ? "the standard output" : output;
  if (output == "-")
    output_ = STDOUT_FILENO;
  else
    output_file_.emplace(output);
}

void HostConsole::begin() {
  if (output_file_) {
    output_ = output_file_->begin();
    owns_output_ = true;
  }
  write_through_ = isatty(output_) != 0;
  writer_.emplace(output_, stop_);
  if (!streams_) return;
  raw_ = std::make_unique<RawTerminal>(input_);
  stream_ = std::make_unique<InputStream>(input_, arrived_);
}

void HostConsole::open_input(const std::string& input) {
  if (input.empty()) return;
  if (input == "-") {
    input_ = STDIN_FILENO;
  } else {
    input_ = open(input.c_str(), O_RDONLY | O_CLOEXEC);
    if (input_ < 0) throw failure("open", input, errno);
    owns_input_ = true;
  }
  struct stat status {};
  if (fstat(input_, &status) != 0) return;  // closed: nothing will come
  if (S_ISDIR(status.st_mode)) throw failure("read", input, EISDIR);
  streams_ = !S_ISREG(status.st_mode) && !is_null_device(status);
  if (!streams_) file_ = read_file(input_, input);
}

void HostConsole::send(std::uint8_t byte) {
  if (output_ < 0) return;
  buffer_.push_back(static_cast<char>(byte));
  if (byte == '\n' || write_through_ || buffer_.size() >= kBufferSize) write_out();
}

bool HostConsole::take(std::uint8_t& byte) {
  if (file_position_ < file_.size()) {
    byte = static_cast<std::uint8_t>(file_[file_position_++]);
    return true;
  }
  if (stream_ != nullptr && stream_->take(byte)) return true;
  if (!std::exchange(end_typed_, false)) return false;
  byte = kCtrlD;
  return true;
}

/// There was input, and no more of it will come.
bool HostConsole::input_taken() const {
  if (input_ < 0 || file_position_ < file_.size()) return false;
  return streams_ ? stream_ != nullptr && stream_->drained() : true;
}

void HostConsole::type_end() {
  if (!input_taken()) return;
  end_typed_ = true;
  arrived_();
}

void HostConsole::write_out() {
  if (writer_) writer_->write(buffer_.data(), buffer_.size());
  buffer_.clear();
}

std::string HostConsole::lost_output() const {
  if (!writer_ || writer_->lost() == 0) return "";
  return "the last " + counted(writer_->lost(), "byte") + " of output to " + output_name_ +
         " got lost: nobody took them when the run was stopped";
}

void HostConsole::flush() {
  write_out();
  if (writer_ && writer_->error() != 0 && !std::exchange(told_error_, true))
    throw failure("write the console output to", output_name_, writer_->error());
}

}  // namespace vp
