#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace vp {

/// How a program that a test started has ended.
struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal if a signal ended it
  std::string out;
  std::string error;
  std::chrono::duration<double> seconds{};  ///< wall clock
};

/// What a program gets besides its arguments.
struct ProgramInput {
  std::string text;                      ///< on stdin; end of file follows
  bool open_end = false;                 ///< stdin is a pipe instead on which nothing comes
  std::vector<std::string> environment;  ///< "NAME=value", on top of the test's own
  std::string out_path;                  ///< stdout goes there instead of ProgramResult::out
  bool full_output = false;              ///< stdout is a pipe instead that is full and that nobody reads
  bool full_error = false;               ///< likewise stderr
  std::string error_path;                ///< stderr goes into this file, too, where others see it meanwhile
  std::vector<int> closed;               ///< descriptors that the program starts without
  std::uint64_t largest_file = 0;        ///< bytes that it may write into one file, 0: any number
  int signal = 0;                        ///< sent `signal_after` there is a handler for it, 0: none
  std::chrono::milliseconds signal_after{300};
};

/// Runs the built tinytpu-vp and waits for its end.
ProgramResult run_tinytpu_vp(const std::vector<std::string>& arguments, const ProgramInput& input = {});

/// Budgets of time are for the program that users run; one that checks its own memory accesses has so many times more.
#ifdef __SANITIZE_ADDRESS__
constexpr double kTimeBudget = 20;
#else
constexpr double kTimeBudget = 1;
#endif

/// Path of a firmware program of the build: firmware("hello64").
std::string firmware(const std::string& name);

}  // namespace vp
