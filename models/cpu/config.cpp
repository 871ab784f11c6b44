#include "models/cpu/config.h"

#include <algorithm>

namespace vp::cpu {

unsigned CycleCosts::least() const { return *std::min_element(of_class.begin(), of_class.end()); }

void CycleCosts::declare(const ParameterGroup& group) {
  static constexpr struct {
    const char* name;
    const char* what;
  } kClasses[kInstructionClasses] = {
      {"alu", "integer register operations"},
      {"mul", "multiplications"},
      {"div", "divisions and remainders"},
      {"load", "loads, before the latency of the memory"},
      {"store", "stores, before the latency of the memory"},
      {"branch", "conditional branches"},
      {"jump", "jal and jalr"},
      {"csr", "accesses to control and status registers"},
      {"amo", "lr, sc and amo, before the latency of the memory"},
      {"fence", "fence, fence.i and sfence.vma"},
      {"system", "ecall, ebreak, mret, sret, wfi and illegal instructions"},
      {"fp", "floating-point operations but those of fdiv"},
      {"fdiv", "floating-point divisions and square roots"},
  };
  for (unsigned i = 0; i < kInstructionClasses; ++i)
    group.integer(kClasses[i].name, of_class[i], 1, 10'000, "cycles", std::string("Time of ") + kClasses[i].what);
  group.integer("branch_taken", branch_taken, 0, 10'000, "cycles", "Added to a conditional branch that is taken");
}

void CpuConfig::declare(const ParameterGroup& group) {
  group.choice("isa", isa,
               {{"rv32imac", Isa::kRv32imac},
                {"rv64imac", Isa::kRv64imac},
                {"rv32gc", Isa::kRv32gc},
                {"rv64gc", Isa::kRv64gc},
                {"rv32imafdc", Isa::kRv32gc},
                {"rv64imafdc", Isa::kRv64gc}},
               "Instruction set of the host CPU; gc is imafdc");
  group.clock("clock", clock, "Clock of the host CPU");
  group.time("quantum", quantum, 1'000, 1'000'000'000'000,
             "How far the CPU may run ahead of other initiators; with one initiator it changes speed only");
  group.choice("misaligned", misaligned, {{"done", Misaligned::kDone}, {"trap", Misaligned::kTrap}},
               "Loads and stores that are not aligned: done in hardware, or trapped");
  group.choice("ad_update", ad_update, {{"hardware", AdUpdate::hardware}, {"fault", AdUpdate::fault}},
               "Accessed and dirty bits of page tables: set by the walk, or a page fault for the guest to set them");
  group.boolean(
      "sstc", sstc,
      "Extension Sstc: supervisor mode sets its timer itself (stimecmp); without it, by calls to the firmware");
  group.choice("jit", jit, {{"auto", Jit::automatic}, {"on", Jit::on}, {"off", Jit::off}, {"check", Jit::check}},
               "Machine code for what is executed often: where the host allows it, in any case, or never; it changes "
               "speed only. check: the interpreter does each block, too, and a difference ends the run");
  cycles.declare(group.group("cycles"));
  icache.declare_common(group.group("icache"));
  dcache.declare_data(group.group("dcache"));
}

}  // namespace vp::cpu
