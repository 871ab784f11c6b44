#include "models/matmul/script_report.h"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>

#include "models/matmul/isa.h"

namespace vp::matmul {
namespace {

std::string counted(std::uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void print_matrix(std::ostream& out, const Message& message, unsigned side) {
  std::size_t width = 0;
  for (std::int32_t word : message.words) width = std::max(width, std::to_string(word).size());
  for (std::size_t i = 0; i < message.words.size(); ++i) {
    const std::string number = std::to_string(message.words[i]);
    out << (i % side == 0 ? "  " : " ") << std::string(width - number.size(), ' ') << number
        << (i % side == side - 1 ? "\n" : "");
  }
}

void print_messages(std::ostream& out, const ScriptResult& result, unsigned side) {
  for (std::size_t i = 0; i < result.messages.size(); ++i) {
    const ReceivedMessage& received = result.messages[i];
    char header[8];
    std::snprintf(header, sizeof header, "0x%02x", received.message.header);
    out << "message " << i + 1 << ": header " << header << ", clocks " << received.first_start << " to " << received.end
        << "\n";
    print_matrix(out, received.message, side);
  }
}

void print_run(std::ostream& out, unsigned thread, const RunRecord& run) {
  out << "thread " << thread << ": started at clock " << run.start;
  if (run.finish)
    out << ", " << (run.disabled ? "disabled" : "idle") << " after " << *run.finish - run.start << " clocks";
  out << "\n";
  char line[64];
  std::snprintf(line, sizeof line, "  %6s  %-7s  %10s\n", "pc", "", "clocks");
  out << line;
  for (const InstructionRecord& instruction : run.instructions) {
    const char* name = instruction.disabled ? "disable" : format_of(instruction.opcode).mnemonic;
    const std::string cycles = instruction.cycles ? std::to_string(*instruction.cycles) : "unfinished";
    std::snprintf(line, sizeof line, "  %6u  %-7s  %10s\n", instruction.pc, name, cycles.c_str());
    out << line;
  }
}

void print_end(std::ostream& out, const ScriptResult& result) {
  const std::string thread = "thread " + std::to_string(result.stuck_thread);
  switch (result.end) {
    case ScriptEnd::finished:
      break;
    case ScriptEnd::hang:
      out << "hang: " << thread
          << " waits 2^32 clocks for its LOAD and keeps every other LOAD from starting; only reset helps.\n";
      break;
    case ScriptEnd::endless:
      out << "endless: " << thread << " found no TERM in its whole instruction memory and was disabled.\n";
      break;
    case ScriptEnd::limit:
      out << "limit: the run was given up at clock " << result.finish << ".\n";
      break;
  }
  if (result.undecoded_bytes > 0) {
    out << "lost: " << counted(result.undecoded_bytes, "byte")
        << " came after the last whole message and cannot be decoded.\n";
  }
  if (result.messages.size() != result.expected_messages) {
    out << "note: " << counted(result.messages.size(), "whole message") << " for "
        << counted(result.expected_messages, "program") << "; the original's driver reads one a program"
        << (result.messages.size() < result.expected_messages ? " and would wait for ever.\n"
                                                              : ", and takes the rest for the next script's.\n");
  }
}

}  // namespace

void print(std::ostream& out, const ScriptResult& result, const CoreConfig& config, Picoseconds period) {
  const std::uint64_t clocks = result.finish - result.start;
  char milliseconds[32];
  std::snprintf(milliseconds, sizeof milliseconds, "%.3f",
                static_cast<double>(clocks) * static_cast<double>(period) * 1e-9);
  out << "script " << result.name << ": " << counted(result.messages.size(), "message") << ", " << clocks << " clocks ("
      << milliseconds << " ms)\n";
  print_messages(out, result, config.side());
  for (unsigned thread = 0; thread < kThreads; ++thread)
    for (const RunRecord& run : result.runs[thread]) print_run(out, thread, run);
  for (const ErrataEvent& event : result.errata) out << "errata: " << to_text(event) << "\n";
  if (result.unlisted_errata > 0) out << "errata: and " << result.unlisted_errata << " more.\n";
  print_end(out, result);
}

}  // namespace vp::matmul
