#pragma once

#include <functional>
#include <memory>
#include <string>

#include "models/common/host_link.h"
#include "models/common/parameters.h"
#include "models/common/stop_request.h"

namespace vp {

class HostEnd;

/// Settings of a part's console: where on the host it is.
struct ConsoleConfig {
  std::string input = "-";
  std::string output = "-";
  std::string serial = "none";

  /// what_else: the end of the sentence that refuses another value of `serial`, behind "; ", or empty.
  void declare(const ParameterGroup& group, const std::string& what_else = "");
  /// Throws UserError, naming `part`, for files beside a terminal or port.
  void check(const std::string& part) const;

  /// It is at a pseudo-terminal or TCP port; then there are no files.
  bool on_host() const { return target().on_host(); }
  bool has_files() const { return !on_host() && (!input.empty() || !output.empty()); }
  SerialTarget target() const { return parse_serial_target(serial); }

  /// The console itself, nullptr if there is none. arrived: called from any thread when there is input. stop: ends its
  /// waiting for who reads its output. Throws UserError if files, terminal or port cannot be opened.
  std::unique_ptr<HostEnd> open(std::function<void()> arrived, const StopRequest& stop) const;
};

}  // namespace vp
