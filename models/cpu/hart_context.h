#pragma once

#include <cstdint>

#include "models/common/fidelity.h"
#include "models/cpu/config.h"
#include "models/cpu/core.h"
#include "models/cpu/memory_port.h"
#include "models/cpu/state.h"

namespace vp::cpu {

/// What the units of a hart share: its architectural state, its settings, the world outside, and what an instruction
/// leaves for the run loop.
template <typename Word>
struct HartContext {
  HartContext(const CpuConfig& settings, MemoryPort& world) : config(settings), port(world) {}

  State<Word> state;
  const CpuConfig config;
  MemoryPort& port;
  Fidelity fidelity = Fidelity::functional;

  /// The exception in which the instruction under way ends.
  struct Fault {
    Cause cause = Cause::illegal_instruction;
    Word value = 0;                     ///< mtval
    unsigned refused_by = kNoPmpEntry;  ///< TrapRecord::pmp
    bool misaligned = false;            ///< TrapRecord::misaligned
  } fault;
  void set_fault(Cause cause, Word value) {
    fault.cause = cause;
    fault.value = value;
  }

  bool port_used = false;     ///< the run loop must return: an access may have moved the caller's limit
  bool flush_blocks = false;  ///< decoded code is to be forgotten before the next block
  CpuTimes times;
  std::uint64_t trapped = 0;  ///< instructions that took their time but did not retire

  /// An access as it leaves the hart now, by the instruction at pc.
  vp::Access access(bool write, std::uint64_t address, std::uint8_t* data, unsigned size) const {
    vp::Access access;
    access.write = write;
    access.address = address;
    access.data = data;
    access.size = size;
    access.time = state.time;
    access.pc = state.pc;
    return access;
  }
  std::uint64_t executed() const { return state.retired + trapped; }
};

}  // namespace vp::cpu
