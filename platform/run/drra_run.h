#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "models/drra/config.h"
#include "platform/run/instruction_file.h"

namespace vp {

/// A program of the DRRA fabric, run without a CPU.
struct DrraRunOptions {
  std::string program;                         ///< file: assembly, or JSON of a recorded run
  std::uint64_t max_cycles = 100'000'000;      ///< a program that would run for ever ends there
  std::chrono::duration<double> timeout{0};    ///< of wall-clock time; zero: none
  std::string stats_file;                      ///< empty: none
  std::string timeline_file;                   ///< empty: none
  const ParameterTable* parameters = nullptr;  ///< for the statistics; bound to the fabric's configuration
  std::optional<InstructionLogRequest> instruction_log;
};

/// Reads the program and, from it, what it says about its fabric; a JSON program names the whole fabric.
/// Runs it and prints how it ended, cycles by cell and resource, findings, and the memories that it changed. Returns
/// the exit code: 4 at the limit, 130 when interrupted; then it also prints where each cell stands. Throws UserError.
int run_drra_program(const DrraRunOptions& options, drra::DrraConfig& config, std::ostream& out);

}  // namespace vp
