#pragma once

#include <cstdint>

namespace vp {

/// How a trace of instructions is written.
enum class TraceStyle : std::uint8_t {
  text,   ///< for people: time, symbol, disassembly, and what the instruction did
  spike,  ///< as the instruction-set simulator Spike writes with --log-commits
};

}  // namespace vp
