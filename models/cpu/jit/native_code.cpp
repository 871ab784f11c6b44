#include "models/cpu/jit/native_code.h"

#include <array>

#include "models/common/error.h"
#include "models/cpu/csrs.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {

namespace {

constexpr auto kRests = [] {
  std::array<NativeRest, static_cast<std::size_t>(Opcode::illegal) + 1> rests{};
  const auto packed = [](unsigned size) {
    return size == 0 ? 0 : 1u << NativeRest::kAccessShift | (size > 4 ? 1u << NativeRest::kWideShift : 0) | size;
  };
  for (std::size_t i = 0; i < rests.size(); ++i) {
    const DirectBytes bytes = direct_bytes(static_cast<Opcode>(i));
    rests[i] = {0, packed(bytes.read), packed(bytes.written)};
  }
  return rests;
}();

}  // namespace

NativeRest rest_of(Opcode opcode) { return kRests[static_cast<std::size_t>(opcode)]; }

NativeAccesses accesses_of(const NativeRest& rest, const NativeMemory& memory) {
  NativeAccesses sum;
  const auto add = [&](std::uint32_t packed, bool write) {
    const std::uint64_t accesses = packed >> NativeRest::kAccessShift;
    const std::uint64_t wide = packed >> NativeRest::kWideShift & 0xff;
    sum.time += accesses * memory.latency(write, 4) + wide * memory.wide_extra;
    return accesses << traffic::kAccessShift | wide << traffic::kWideShift | (packed & 0xfff);
  };
  sum.reads = add(rest.reads, false);
  sum.writes = add(rest.writes, true);
  return sum;
}

bool switches_interrupts(const Block& block, unsigned instruction) {
  const Op& op = const_cast<Block&>(block).ops()[instruction];
  if (block.mode != Mode::kSupervisor || op.imm != csr_sstatus) return false;
  switch (block.info[instruction].opcode) {
    case Opcode::csrrs:
    case Opcode::csrrc:
      return true;
    case Opcode::csrrsi:
    case Opcode::csrrci:
      return (op.rs1 & ~kMstatusSie) == 0;
    default:
      return false;
  }
}

std::unique_ptr<NativeCode> make_native_code(const CpuConfig& config) {
  check_jit(config.jit, "cpu.jit");
  return config.jit == Jit::off ? nullptr : NativeCode::make(config);
}

void check_jit(Jit jit, const std::string& parameter) {
  if ((jit == Jit::on || jit == Jit::check) && !NativeCode::available())
    throw UserError(parameter + (jit == Jit::on ? " = on" : " = check") +
                    ": this program was built without a code generator for the host's processor.");
}

}  // namespace vp::cpu
