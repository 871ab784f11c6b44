#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "platform/gdb/place.h"
#include "platform/run/access_filter.h"
#include "platform/run/instruction_file.h"
#include "platform/run/run_log.h"
#include "platform/trace/trace_style.h"

namespace vp {

/// How much the report at the end of a run says.
enum class ReportDetail {
  none,   ///< nothing, or one line if the guest did not end the run itself
  brief,  ///< about six lines
  full,   ///< and every figure on a line, with its description
};

/// What to do when the input of a console has ended and the CPU does nothing but ask for more; or, to type its end,
/// idles.
enum class OnInputEnd { stop, wait, type_end };

/// What a run is asked to do, apart from the machine's own settings.
struct RunOptions {
  /// A file whose bytes lie in memory when the program starts.
  struct LoadedFile {
    std::string path;
    std::uint64_t address = 0;
  };

  /// What boots a Linux kernel.
  struct LinuxBoot {
    std::string firmware;  ///< empty: Debian's OpenSBI
    std::string initrd;    ///< empty: none
    std::string symbols;   ///< of the kernel, for diagnoses; empty: none
  };

  std::string program;                            ///< path of the ELF file, or of the Linux kernel
  std::optional<LinuxBoot> linux_boot;            ///< nothing: the program runs by itself
  std::vector<LoadedFile> loaded_files;           ///< beside it
  std::optional<std::uint64_t> max_cycles;        ///< of the CPU's clock
  std::optional<std::uint64_t> max_instructions;  ///< retired
  std::optional<Picoseconds> max_time;            ///< simulated
  std::chrono::duration<double> timeout{0};       ///< wall clock, zero for none
  LogLevel log_level = LogLevel::warning;
  std::string log_file;        ///< empty: standard error
  std::string stats_file;      ///< empty: none
  std::string timeline_file;   ///< what the units did when, for a report; empty: none
  std::string signature_file;  ///< memory from begin_signature to end_signature; empty: none
  OnInputEnd on_input_end = OnInputEnd::stop;
  std::optional<gdb::Place> gdb;  ///< where debuggers connect; nothing: nowhere
  bool gdb_wait = false;          ///< the first instruction waits for one
  std::vector<InstructionLogRequest> instruction_logs;
  std::optional<AccessLogRequest> access_log;
  std::string trace_file;  ///< empty: none
  TraceStyle trace_style = TraceStyle::text;
  std::string trace_pc;        ///< see parse_pc_window(); empty: everything
  Picoseconds trace_from = 0;  ///< first time traced
  Picoseconds trace_to = kNever;
  ReportDetail report = ReportDetail::brief;
};

}  // namespace vp
