#include "models/cpu/jit/native_code.h"

#include "models/common/error.h"
#include "models/cpu/csrs.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {

NativeAccesses accesses_of(Opcode opcode, const NativeMemory& memory) {
  const DirectBytes bytes = direct_bytes(opcode);
  NativeAccesses sum;
  for (const bool write : {false, true}) {
    const unsigned size = write ? bytes.written : bytes.read;
    if (size == 0) continue;
    (write ? sum.writes : sum.reads) = traffic::of(size);
    sum.time += memory.latency(write, size);
  }
  return sum;
}

NativeAccesses accesses_of(const Block& block, const NativeMemory& memory) {
  NativeAccesses sum;
  for (unsigned i = 0; i < block.count; ++i) sum += accesses_of(block.info[i].opcode, memory);
  return sum;
}

NativeRest pack(const NativeAccesses& rest) {
  const auto packed = [](std::uint64_t counts) {
    return static_cast<std::uint32_t>(traffic::accesses(counts) << NativeRest::kAccessShift |
                                      traffic::wide(counts) << NativeRest::kWideShift | traffic::bytes(counts));
  };
  return {0, packed(rest.reads), packed(rest.writes)};
}

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
