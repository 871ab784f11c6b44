#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/cpu/config.h"

namespace vp::cpu {

/// Many short pieces of guest code, each run from its own register values; of each, one hash tells all registers and
/// all traps (cause, address, value), and a last one the data memory. The same program runs on QEMU and on our hart.
struct ReferenceProgram {
  using Code = std::vector<std::uint16_t>;
  using Registers = std::array<std::uint64_t, 32>;

  static constexpr std::uint64_t kScratch = 0x8010'0000;  ///< data memory, kScratchSize bytes
  static constexpr std::uint64_t kScratchSize = 0x2000;
  static constexpr std::uint64_t kScratchMiddle = kScratch + kScratchSize / 2;

  static constexpr std::uint64_t kWorld = 0x8060'0000;
  static constexpr std::uint64_t kOperands = 0x80a0'0000;  ///< where `operands` lie

  unsigned xlen = 64;
  bool user_mode = false;
  bool supervisor_mode = false;
  bool floating = false;                ///< with F and D, mstatus.FS initial
  std::vector<std::uint64_t> operands;  ///< more data, for pieces that work through them
  /// CSRs that are written before the first piece, in this order.
  std::vector<std::pair<unsigned, std::uint64_t>> setup;
  std::vector<std::uint8_t> world;   ///< what lies at kWorld; at the end it counts as data memory
  std::vector<Code> pieces;          ///< must run into their end
  std::vector<Registers> registers;  ///< piece i starts with registers[i % registers.size()]

  /// Memory image for 0x8000'0000.
  std::vector<std::uint8_t> image() const;
  /// Hashes, one a piece and one of the data memory.
  std::size_t results() const { return pieces.size() + 1; }
};

/// The hashes as QEMU computes them (machine `virt`, extensions that our hart has not off), or nothing if QEMU is
/// not installed.
std::optional<std::vector<std::uint64_t>> run_on_qemu(const ReferenceProgram& program);

/// The hashes as our hart computes them.
std::vector<std::uint64_t> run_on_hart(const ReferenceProgram& program, const CpuConfig& config = {});

/// Fails for each piece that differs, and skips without QEMU. `ways`: of our hart.
void expect_equal_runs(const ReferenceProgram& program, const std::vector<CpuConfig>& ways = {{}});

inline void append(ReferenceProgram::Code& code, std::uint32_t word) {
  code.push_back(static_cast<std::uint16_t>(word));
  code.push_back(static_cast<std::uint16_t>(word >> 16));
}

}  // namespace vp::cpu
