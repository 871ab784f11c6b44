#include "platform/run/gdb_target.h"

#include <array>
#include <utility>

namespace vp {

namespace {

using gdb::BreakKind;

// GDB's numbers of RISC-V registers (gdb/riscv-tdep.h), which clients use that read no target description.
constexpr unsigned kPc = 32;
constexpr unsigned kFirstFloat = 33;
constexpr unsigned kFirstCsr = 65;
constexpr unsigned kPrivilege = 65 + 4096;
constexpr const char* kFloatFeature = "org.gnu.gdb.riscv.fpu";
constexpr unsigned kReservedMode = 2, kMachineMode = 3;

constexpr std::array<const char*, 32> kNames = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                                                "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                                "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

constexpr std::array<const char*, 32> kFloatNames = {
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

bool is_float(unsigned number) { return number >= kFirstFloat && number < kFirstCsr; }

cpu::Watch watch_of(BreakKind kind) {
  if (kind == BreakKind::write) return cpu::Watch::write;
  return kind == BreakKind::read ? cpu::Watch::read : cpu::Watch::access;
}

bool is_breakpoint(BreakKind kind) { return kind == BreakKind::software || kind == BreakKind::hardware; }

}  // namespace

GdbTarget::GdbTarget(cpu::DebugTarget& hart, std::vector<gdb::TargetMemory> memory, Monitor& monitor)
    : hart_(hart), memory_(std::move(memory)), monitor_(monitor) {
  const unsigned bits = hart.xlen();
  for (unsigned i = 0; i < kNames.size(); ++i)
    registers_.push_back({i, kNames[i], bits, "org.gnu.gdb.riscv.cpu", i == 1 ? "code_ptr" : "", "general"});
  registers_.push_back({kPc, "pc", bits, "org.gnu.gdb.riscv.cpu", "code_ptr", "general"});
  if (hart.floating())
    for (unsigned i = 0; i < kFloatNames.size(); ++i)
      registers_.push_back({kFirstFloat + i, kFloatNames[i], 64, kFloatFeature, gdb::kFloatOrDouble, "float"});
  for (const cpu::NamedCsr& csr : hart.csrs()) {
    const bool floating = csr.number >= cpu::csr_fflags && csr.number <= cpu::csr_fcsr;
    registers_.push_back({kFirstCsr + csr.number, csr.name, bits, floating ? kFloatFeature : "org.gnu.gdb.riscv.csr",
                          "", floating ? "float" : "csr"});
  }
  registers_.push_back({kPrivilege, "priv", bits, "org.gnu.gdb.riscv.virtual", "", "system"});
}

std::optional<std::uint64_t> GdbTarget::read_register(unsigned number) {
  if (number < kPc) return hart_.x(number);
  if (number == kPc) return hart_.pc();
  if (number == kPrivilege) return static_cast<unsigned>(hart_.mode());
  if (is_float(number) && hart_.floating()) return hart_.f(number - kFirstFloat);
  std::uint64_t value = 0;
  if (number < kFirstCsr || number > kPrivilege || !hart_.csr(number - kFirstCsr, value)) return {};
  return value;
}

bool GdbTarget::write_register(unsigned number, std::uint64_t value) {
  if (number < kPc) {
    if (number != 0) hart_.set_x(number, value);
    return number != 0 || value == 0;
  }
  if (number == kPc) {
    hart_.set_pc(value);
    return true;
  }
  if (number == kPrivilege) {
    if (value == kReservedMode || value > kMachineMode) return false;
    hart_.set_mode(static_cast<cpu::Mode>(value));
    return true;
  }
  if (is_float(number) && hart_.floating()) {
    hart_.set_f(number - kFirstFloat, value);
    return true;
  }
  return number >= kFirstCsr && number < kPrivilege && hart_.set_csr(number - kFirstCsr, value);
}

std::optional<BreakKind> GdbTarget::break_at(std::uint64_t address) const {
  const auto there = breaks_.find(address);
  if (there == breaks_.end()) return {};
  return *there->second.begin();
}

bool GdbTarget::insert_break(BreakKind kind, std::uint64_t address, std::uint64_t length) {
  if (!hart_.engaged()) hart_.engage(true);  // a client that has just come
  if (!is_breakpoint(kind)) return hart_.insert_watchpoint(watch_of(kind), address, length);
  breaks_[address].insert(kind);
  hart_.insert_breakpoint(address);
  return true;
}

void GdbTarget::remove_break(BreakKind kind, std::uint64_t address, std::uint64_t length) {
  if (!is_breakpoint(kind)) {
    hart_.remove_watchpoint(watch_of(kind), address, length);
    return;
  }
  const auto there = breaks_.find(address);
  if (there == breaks_.end()) return;
  there->second.erase(kind);
  if (!there->second.empty()) return;
  breaks_.erase(there);
  hart_.remove_breakpoint(address);
}

}  // namespace vp
