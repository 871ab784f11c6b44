#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>

namespace vp {

/// Standard output and standard error of the process, whose readers may take nothing for a while, or never again: what
/// is written waits for them, but not once the run has been asked to end; the rest is lost then. While it lives,
/// std::cout and std::cerr write so. There is at most one at a time.
class StandardStreams {
 public:
  StandardStreams();
  /// Writes out what is held back.
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// The exit code of a run that gave text up since nobody took it; kExitSuccess: none was.
  static int exit_code();

  /// Whoever knows whether the run has been asked to end: tells its exit code, kExitSuccess if it has not. nullptr:
  /// nobody knows more. Of the process, as its streams are.
  static void give_up_when(std::function<int()> asked);
  /// From here on a limit of wall-clock time counts, too; zero: none.
  static void give_up_after(std::chrono::duration<double> timeout);
  /// Standard error for who writes by stdio; closed by the caller.
  static std::FILE* open_error_file();

 private:
  class Buffer;

  std::unique_ptr<Buffer> out_, error_;
  std::streambuf *out_before_, *error_before_;
};

}  // namespace vp
