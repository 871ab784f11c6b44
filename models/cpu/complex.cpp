#include <algorithm>

#include "models/cpu/csrs.h"
#include "models/cpu/float_state.h"
#include "models/cpu/hart.h"
#include "models/cpu/memory_operations.h"

namespace vp::cpu {
/// Executes the instruction at pc, which the inner loop could not, and brings pc, time and count behind it. An
/// instruction that traps takes its time, too, but neither moves pc nor retires.
template <typename Word>
typename Hart<Word>::Outcome Hart<Word>::complex(const Op& op, const InstructionInfo& info) {
  const Word next = static_cast<Word>(s_.pc + info.length);
  const unsigned cycles = (&info)[1].cycles_before - info.cycles_before;
  const Outcome outcome = dispatch_complex(op, info);
  s_.time += cycles * context_.config.clock;
  if (outcome == Outcome::trap) {
    ++context_.trapped;
    return outcome;
  }
  ++s_.retired;
  if (info.opcode != Opcode::mret && info.opcode != Opcode::sret) s_.pc = next;
  return outcome;
}

template <typename Word>
typename Hart<Word>::Outcome Hart<Word>::dispatch_complex(const Op& op, const InstructionInfo& info) {
  switch (info.opcode) {
    case Opcode::illegal:
      return trap(Cause::illegal_instruction, static_cast<Word>(info.encoding));
    case Opcode::ecall:
      return trap(static_cast<Cause>(static_cast<unsigned>(Cause::ecall_from_user) + static_cast<unsigned>(s_.mode)),
                  0);
    case Opcode::ebreak:
      return trap(Cause::breakpoint, s_.pc);  // the manual allows 0, too
    case Opcode::fence_i:
      fence_code();
      return Outcome::next;
    case Opcode::mret:
    case Opcode::sret:
    case Opcode::sfence_vma:
    case Opcode::wfi:
      if (!privileged(op, info.opcode)) return trap(Cause::illegal_instruction, static_cast<Word>(info.encoding));
      return info.opcode == Opcode::wfi && !wakes() ? Outcome::wait : Outcome::next;
    case Opcode::csrrw:
    case Opcode::csrrs:
    case Opcode::csrrc:
    case Opcode::csrrwi:
    case Opcode::csrrsi:
    case Opcode::csrrci: {
      const Outcome outcome = csr_instruction(op, info.opcode);
      return outcome == Outcome::trap ? trap(Cause::illegal_instruction, static_cast<Word>(info.encoding)) : outcome;
    }
    default:
      break;
  }
  if (is_float(info.opcode)) return float_instruction(op, info);
  if (is_atomic_word(info.opcode)) return atomic<std::uint32_t>(op, info.opcode);
  if (is_atomic_double(info.opcode)) return atomic<std::uint64_t>(op, word_form(info.opcode));
  return load_store(op, info.opcode);
}

/// Instructions that not every mode may execute; false: not this one (privileged manual, 3.1.6.5 and 3.3).
template <typename Word>
bool Hart<Word>::privileged(const Op& op, Opcode opcode) {
  const auto forbids = [this](std::uint64_t bit) {
    return s_.mode == Mode::kUser || (s_.mode == Mode::kSupervisor && (s_.mstatus & bit));
  };
  switch (opcode) {
    case Opcode::mret:
      if (s_.mode != Mode::kMachine) return false;
      traps_.return_from_machine();
      mode_changed();
      return true;
    case Opcode::sret:
      if (forbids(kMstatusTsr)) return false;
      traps_.return_from_supervisor();
      mode_changed();
      return true;
    case Opcode::sfence_vma:
      if (forbids(kMstatusTvm)) return false;
      if (op.rs1 == 0)
        remap();
      else
        remap(s_.x[op.rs1]);
      return true;
    default:  // wfi, which user mode would have to end by itself
      return !forbids(kMstatusTw);
  }
}

template <typename Word>
typename Hart<Word>::Outcome Hart<Word>::load_store(const Op& op, Opcode opcode) {
  const MemoryShape shape = memory_shape(opcode);
  if (shape.size == 0) return trap(Cause::illegal_instruction, 0);
  const Word address = s_.x[op.rs1] + static_cast<Word>(op.imm);
  if (shape.store) return memory_.store(address, shape.size, s_.x[op.rs2]) ? Outcome::go_on : Outcome::trap;
  std::uint64_t value = 0;
  if (!memory_.load(address, shape.size, value)) return Outcome::trap;
  s_.x[op.rd] = static_cast<Word>(shape.sign_extend ? sign_extended(value, shape.size) : value);
  return Outcome::go_on;
}

template <typename Word>
typename Hart<Word>::Outcome Hart<Word>::float_instruction(const Op& op, const InstructionInfo& info) {
  if (float_on(s_)) {
    if (memory_shape(info.opcode).size != 0) return float_load_store(op, info.opcode);
    if (floats_.execute(op, info.opcode)) return Outcome::go_on;
  }
  return trap(Cause::illegal_instruction, static_cast<Word>(info.encoding));
}

template <typename Word>
typename Hart<Word>::Outcome Hart<Word>::float_load_store(const Op& op, Opcode opcode) {
  const MemoryShape shape = memory_shape(opcode);
  const Word address = s_.x[op.rs1] + static_cast<Word>(op.imm);
  if (shape.store) return memory_.store(address, shape.size, s_.f[op.rs2]) ? Outcome::go_on : Outcome::trap;
  std::uint64_t value = 0;
  if (!memory_.load(address, shape.size, value)) return Outcome::trap;
  s_.f[op.rd] = shape.size == 4 ? boxed(static_cast<std::uint32_t>(value)) : value;
  make_float_dirty(s_);
  return Outcome::go_on;
}

/// LR, SC and AMO. They must be aligned whatever cpu.misaligned says, and all but LR fault as stores. In memory that
/// the hart reaches by host pointer they are loads and stores between which nothing happens; elsewhere they are single
/// accesses of their own kinds. An AMO and an SC that succeeds take what a load and a store take.
template <typename Word>
template <typename T>
typename Hart<Word>::Outcome Hart<Word>::atomic(const Op& op, Opcode base) {
  constexpr unsigned kSize = sizeof(T);
  const Word address = s_.x[op.rs1];
  const bool is_lr = base == Opcode::lr_w;
  if (address & (kSize - 1)) return trap(is_lr ? Cause::load_misaligned : Cause::store_misaligned, address);
  if (base == Opcode::sc_w) return store_conditional<T>(op, address);
  std::uint64_t physical = 0;
  if (!memory_.locate(is_lr ? Access::kLoad : Access::kStore, address, kSize, physical)) return Outcome::trap;
  if (!memory_.by_host_pointer(!is_lr, address, physical)) return atomic_by_port<T>(op, base, address, physical);
  std::uint64_t memory = 0;
  // Reserved first: both may wait, and a write of another that comes between must end the reservation.
  const bool reserved = is_lr && memory_.reservation().reserve(physical, kSize);
  if (!memory_.load(address, kSize, memory))
    return trap(is_lr ? Cause::load_access_fault : Cause::store_access_fault, address);
  if (is_lr) {
    s_.reserved = reserved;
    s_.reservation = address;
    s_.reserved_size = kSize;
  } else if (!memory_.store(address, kSize, apply(operation_of(base), kSize, memory, s_.x[op.rs2]))) {
    return Outcome::trap;
  }
  s_.x[op.rd] = static_cast<Word>(sign_extended(memory, kSize));
  return Outcome::go_on;
}

/// Without its reservation it is no access, but fails only where it might store (unprivileged manual, Zalrsc).
template <typename Word>
template <typename T>
typename Hart<Word>::Outcome Hart<Word>::store_conditional(const Op& op, Word address) {
  constexpr unsigned kSize = sizeof(T);
  const bool mine = s_.reserved && s_.reservation == address && s_.reserved_size == kSize;
  s_.reserved = false;
  std::uint64_t physical = 0;
  if (!memory_.locate(Access::kStore, address, kSize, physical)) return Outcome::trap;
  const bool direct = memory_.by_host_pointer(true, address, physical);
  if (!mine) {
    if (!direct && !memory_.is_there(physical, kSize)) return trap(Cause::store_access_fault, address);
    s_.x[op.rd] = 1;
    return Outcome::go_on;
  }
  if (!direct) return atomic_by_port<T>(op, Opcode::sc_w, address, physical);
  if (!memory_.load_unseen(address, kSize)) return trap(Cause::store_access_fault, address);
  // The load has brought the line in, so the store moves its bytes before anybody else can do anything.
  const bool stored = memory_.reservation().claim(physical, kSize);
  if (stored && !memory_.store(address, kSize, s_.x[op.rs2])) return Outcome::trap;
  s_.x[op.rd] = stored ? 0 : 1;
  return Outcome::go_on;
}

/// In memory without host pointers, and in devices.
template <typename Word>
template <typename T>
typename Hart<Word>::Outcome Hart<Word>::atomic_by_port(const Op& op, Opcode base, Word address,
                                                        std::uint64_t physical) {
  constexpr unsigned kSize = sizeof(T);
  const bool is_lr = base == Opcode::lr_w, is_sc = base == Opcode::sc_w;
  const Cause fault = is_lr ? Cause::load_access_fault : Cause::store_access_fault;
  if (!memory_.allowed(is_sc ? Access::kStore : Access::kLoad, physical, kSize)) return trap(fault, address);
  T value = is_lr ? 0 : static_cast<T>(s_.x[op.rs2]);
  vp::Access access = context_.access(!is_lr, physical, reinterpret_cast<std::uint8_t*>(&value), kSize);
  access.kind = is_lr ? AccessKind::reserve : is_sc ? AccessKind::conditional : AccessKind::atomic;
  if (access.kind == AccessKind::atomic) access.operation = operation_of(base);
  const Answer answer = memory_.through_port(access);
  if (!answer.ok()) return trap(fault, address);
  if (is_lr) {
    s_.reserved = true;
    s_.reservation = address;
    s_.reserved_size = kSize;
  }
  s_.x[op.rd] = is_sc ? Word{!answer.stored} : static_cast<Word>(sign_extended(value, kSize));
  if (!is_sc) memory_.done(false, address, kSize);
  if (!is_lr && (!is_sc || answer.stored)) memory_.done(true, address, kSize);
  return Outcome::go_on;
}

/// Zicsr: csrrw with rd = x0 does not read, csrrs and csrrc with rs1 = x0 (or immediate 0) do not write.
template <typename Word>
typename Hart<Word>::Outcome Hart<Word>::csr_instruction(const Op& op, Opcode opcode) {
  const auto number = static_cast<unsigned>(op.imm);
  const bool swap = opcode == Opcode::csrrw || opcode == Opcode::csrrwi;
  const bool immediate = opcode == Opcode::csrrwi || opcode == Opcode::csrrsi || opcode == Opcode::csrrci;
  const bool clear = opcode == Opcode::csrrc || opcode == Opcode::csrrci;
  const bool writes = writes_csr(opcode, op.rs1);
  Word old = 0;
  if (!csrs_.accessible(number, writes) || !csrs_.read(number, old)) return Outcome::trap;
  bool elsewhere = false;  // the instruction behind it is perhaps not the next one, or another
  if (writes) {
    const Word operand = immediate ? op.rs1 : s_.x[op.rs1];
    const Word before = csrs_.to_modify(number, old);
    const Word value = swap ? operand : clear ? before & ~operand : before | operand;
    const CsrEffect effect = csrs_.write(number, value, CsrWriter::instruction);
    take_effect(effect);
    elsewhere = effect == CsrEffect::translation || effect == CsrEffect::protection || traps_.interrupt_ready();
  }
  s_.x[op.rd] = old;
  return elsewhere ? Outcome::next : Outcome::go_on;
}

/// A fence that leaves all code as it is, or a CSR.
template <typename Word>
CalledInstructions::End Hart<Word>::call(const Op& op, Opcode opcode) {
  if (is_csr(opcode)) return call_csr(op, opcode);
  switch (opcode) {
    case Opcode::fence_i:
      return fence_code() ? End::elsewhere : End::done;
    case Opcode::sfence_vma:
      if (op.rs1 == 0 || code_.maps(s_.x[op.rs1]) || !privileged(op, opcode)) return End::refused;
      return End::done;
    default:
      return End::refused;
  }
}

/// All but those whose effect goes beyond registers and the mode of accesses. A trap is left to who comes behind.
template <typename Word>
CalledInstructions::End Hart<Word>::call_csr(const Op& op, Opcode opcode) {
  const auto number = static_cast<unsigned>(op.imm);
  const bool timer = number == csr_stimecmp || number == csr_stimecmph;
  const bool protection = csr_pmpcfg_first <= number && number <= csr_pmpaddr_last;
  if (timer || protection || number == csr_satp) return End::refused;
  switch (csr_instruction(op, opcode)) {
    case Outcome::go_on:
      return End::done;
    case Outcome::trap:
      return End::refused;
    default:
      return End::elsewhere;
  }
}

template <typename Word>
void Hart<Word>::take_effect(CsrEffect effect) {
  switch (effect) {
    case CsrEffect::none:
      break;
    case CsrEffect::data_mode:
      memory_.select();
      break;
    case CsrEffect::rights:
      memory_.forget_rights();
      memory_.select();
      break;
    case CsrEffect::translation:
      remap();
      memory_.select();
      break;
    case CsrEffect::protection:
      memory_.flush();
      code_.suspect_all();
      break;
    case CsrEffect::trap_vector:
      traps_.set_handler_known(Mode::kMachine);
      break;
    case CsrEffect::supervisor_trap_vector:
      traps_.set_handler_known(Mode::kSupervisor);
      break;
  }
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
