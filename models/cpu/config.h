#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/cache/config.h"
#include "models/common/clock.h"
#include "models/common/parameters.h"
#include "models/cpu/isa.h"

namespace vp::cpu {

struct NativeFrame;

/// gc: imac with F and D.
enum class Isa : std::uint8_t { kRv32imac, kRv64imac, kRv32gc, kRv64gc };
enum class Misaligned : std::uint8_t { kDone, kTrap };
/// What a walk does with a page whose A (or for a store D) bit is clear.
enum class AdUpdate : std::uint8_t { hardware, fault };

/// Machine code of the host for blocks that are executed often: where there is a generator, in any case, or never; or
/// each compared with the interpreter.
enum class Jit : std::uint8_t { automatic, on, off, check };

/// Clock cycles that an instruction of each class takes before the latency of its memory accesses is added.
struct CycleCosts {
  std::array<unsigned, kInstructionClasses> of_class = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  unsigned branch_taken = 0;  ///< on top of `branch`, if the branch is taken

  unsigned operator[](InstructionClass cls) const { return of_class[static_cast<unsigned>(cls)]; }
  unsigned least() const;
  void declare(const ParameterGroup& group);
};

/// Settings of one hart; `cpu.*` on the command line.
struct CpuConfig {
  Isa isa = Isa::kRv64gc;
  Picoseconds clock = 10'000;        ///< period
  Picoseconds quantum = 10'000'000;  ///< how far the hart may run ahead of the kernel
  Misaligned misaligned = Misaligned::kDone;
  AdUpdate ad_update = AdUpdate::hardware;
  bool sstc = false;  ///< supervisor mode may be given a timer of its own
  CycleCosts cycles;
  CacheConfig icache;
  CacheConfig dcache;
  Jit jit = Jit::automatic;
  unsigned jit_after = 32;  ///< times that a block is interpreted first
  /// For tests: sees, or spoils, what generated code leaves behind.
  std::function<void(NativeFrame&)> jit_flaw;
  std::uint64_t hart_id = 0;
  std::uint64_t reset_pc = 0x1000;  ///< first instruction; set by the machine (its boot ROM), not by the user

  unsigned xlen() const { return isa == Isa::kRv32imac || isa == Isa::kRv32gc ? 32 : 64; }
  /// With F and D.
  bool floating() const { return isa == Isa::kRv32gc || isa == Isa::kRv64gc; }
  void declare(const ParameterGroup& group);
};

}  // namespace vp::cpu
