#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/common/host_writer.h"
#include "models/common/machine_roles.h"
#include "models/common/output_file.h"
#include "models/uart/console.h"
#include "models/uart/input_stream.h"
#include "models/uart/raw_terminal.h"

namespace vp {

/// The console on the host. Each side is a file by name, "-" for the standard stream, or empty for none. Input from a
/// regular file is read at once and is the same in every run; a terminal or pipe is read by a thread (`InputStream`),
/// and a terminal is switched to raw input.
class HostConsole : public Console {
 public:
  /// arrived: see InputStream. Throws UserError if a file cannot be opened or read.
  HostConsole(const std::string& input, const std::string& output, std::function<void()> arrived);
  ~HostConsole() override;

  /// Looks there whether the run is to stop while whoever reads its output takes nothing. Before begin().
  void heed(const StopRequest& stop) { stop_ = &stop; }
  /// Empties the output file: the simulation starts. Nothing is put before.
  void begin();

  void put(std::uint8_t byte) override;
  bool take(std::uint8_t& byte) override;
  void asked_in_vain() override;

  /// Input that is not there yet may come: the guest is not stuck for ever if it waits for it.
  bool may_receive_more() const { return stream_ != nullptr && !stream_->ended(); }
  /// Waits in host time until input has come (true) or for `limit` (false).
  bool wait_for_input(std::chrono::milliseconds limit);
  HostStream::Use use() const { return use_; }
  /// See HostStream.
  void on_asked_in_vain(std::function<void()> callback) { on_asked_in_vain_ = std::move(callback); }
  /// See HostStream.
  void on_sent(std::function<void(std::uint8_t)> callback) { on_sent_ = std::move(callback); }
  /// Writes what is buffered. Throws UserError if any output could not be written (once).
  void flush();
  /// Bytes of output that nobody had taken when the run was to stop.
  std::uint64_t lost_output() const { return writer_ ? writer_->lost() : 0; }

 private:
  void open_input(const std::string& input, std::function<void()> arrived);
  void open_output(const std::string& output);
  void write_out();

  std::string output_name_;
  std::optional<OutputFile> output_file_;  // until begin()
  int output_ = -1;
  bool owns_output_ = false;
  bool write_through_ = false;  // a person looks on
  const StopRequest* stop_ = nullptr;
  std::optional<HostWriter> writer_;  // from begin() on
  bool told_error_ = false;
  std::string buffer_;
  int input_ = -1;
  bool owns_input_ = false;
  std::string file_;  // all of a regular input file
  std::size_t file_position_ = 0;
  HostStream::Use use_;
  std::function<void()> on_asked_in_vain_;
  std::function<void(std::uint8_t)> on_sent_;
  std::unique_ptr<RawTerminal> raw_;
  std::unique_ptr<InputStream> stream_;
};

}  // namespace vp
