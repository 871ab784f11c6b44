#pragma once

#include <stdexcept>
#include <string>

namespace vp {

/// An error of the user: options, configuration, files. The text is one sentence that says what is wrong, where, and
/// what is allowed. The command line prints it on stderr and ends with exit code 2. Guest errors are TLM responses and
/// traps instead, errors of our own models are SC_REPORT_FATAL.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace vp
