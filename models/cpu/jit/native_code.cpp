#include "models/cpu/jit/native_code.h"

#include "models/common/error.h"
#include "models/cpu/csrs.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {

NativeAccesses accesses_from(const Block& block, unsigned first, const NativeMemory& memory) {
  NativeAccesses sum;
  for (unsigned i = first; i < block.count; ++i) {
    const MemoryShape shape = memory_shape(block.info[i].opcode);
    if (const unsigned size = plain_amo_size(block.info[i].opcode)) {
      sum.reads += traffic::of(size);
      sum.writes += traffic::of(size);
      sum.time += memory.latency(false, size) + memory.latency(true, size);
    }
    if (shape.size == 0) continue;
    (shape.store ? sum.writes : sum.reads) += traffic::of(shape.size);
    sum.time += memory.latency(shape.store, shape.size);
  }
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
  return config.jit == Jit::off ? nullptr : NativeCode::make(config.xlen());
}

void check_jit(Jit jit, const std::string& parameter) {
  if ((jit == Jit::on || jit == Jit::check) && !NativeCode::available())
    throw UserError(parameter + (jit == Jit::on ? " = on" : " = check") +
                    ": this program was built without a code generator for the host's processor.");
}

}  // namespace vp::cpu
