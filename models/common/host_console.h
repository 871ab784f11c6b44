#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/common/host_end.h"
#include "models/common/host_writer.h"
#include "models/common/input_stream.h"
#include "models/common/output_file.h"
#include "models/common/raw_terminal.h"

namespace vp {

/// The console on the host. Each side is a file by name, "-" for the standard stream, or empty for none. Input from a
/// regular file is read at once and is the same in every run; a terminal or pipe is read by a thread (`InputStream`),
/// and a terminal is switched to raw input, both from begin() on.
class HostConsole : public HostEnd {
 public:
  /// arrived: see InputStream. Throws UserError if a file cannot be opened or read.
  /// stop: it looks there whether the run is to stop while whoever reads its output takes nothing; nullptr: it waits.
  HostConsole(const std::string& input, const std::string& output, std::function<void()> arrived,
              const StopRequest* stop = nullptr);
  ~HostConsole() override;

  /// Empties the output file, starts to read.
  void begin() override;
  bool take(std::uint8_t& byte) override;
  bool may_receive_more() const override { return stream_ != nullptr && !stream_->ended(); }
  void type_end() override;
  void flush() override;
  std::string lost_output() const override;

 private:
  bool input_taken() const;
  void open_input(const std::string& input);
  void open_output(const std::string& output);
  void send(std::uint8_t byte) override;
  void write_out();

  std::string output_name_;
  std::optional<OutputFile> output_file_;  // until begin()
  int output_ = -1;
  bool owns_output_ = false;
  bool write_through_ = false;  // a person looks on
  const StopRequest* const stop_;
  std::optional<HostWriter> writer_;  // from begin() on
  bool told_error_ = false;
  std::string buffer_;
  std::function<void()> arrived_;
  int input_ = -1;
  bool owns_input_ = false;
  bool streams_ = false;  // its bytes come when they come
  std::string file_;      // all of a regular input file
  std::size_t file_position_ = 0;
  bool end_typed_ = false;  // Ctrl-D is the next byte
  std::unique_ptr<RawTerminal> raw_;
  std::unique_ptr<InputStream> stream_;
};

}  // namespace vp
