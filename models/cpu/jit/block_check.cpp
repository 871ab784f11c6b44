#include "models/cpu/jit/block_check.h"

#include <cstring>
#include <sstream>
#include <stdexcept>

#include "models/cpu/float_operations.h"
#include "models/cpu/float_unit.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/operations.h"
#include "models/cpu/plain_csrs.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {
namespace {

std::uint64_t bytes_at(const std::uint8_t* place, unsigned size) {
  std::uint64_t value = 0;
  std::memcpy(&value, place, size);
  return value;
}

/// One of F and D, by the integer arithmetic, so that the host's is compared with it. False: it is to be left, as
/// mstatus.FS is not dirty, its rounding mode is a reserved one, or it misses.
template <typename Word, typename Lookup>
bool operate_any_float(Opcode opcode, const Op* op, State<Word>& s, const Lookup& lookup, Picoseconds& time) {
  switch (opcode) {
    case Opcode::flw:
      return operate_float<Opcode::flw>(op, s, lookup, time);
    case Opcode::fsw:
      return operate_float<Opcode::fsw>(op, s, lookup, time);
    case Opcode::fld:
      return operate_float<Opcode::fld>(op, s, lookup, time);
    case Opcode::fsd:
      return operate_float<Opcode::fsd>(op, s, lookup, time);
    default:
      return float_dirty(s) && FloatUnit<Word>(s).execute(*op, opcode);
  }
}

/// What a load of that many bytes leaves in a register.
template <typename Word>
Word as_register(std::uint64_t value, unsigned size) {
  return static_cast<Word>(size == 8 ? value : static_cast<std::uint64_t>(static_cast<std::int32_t>(value)));
}

/// Of an AMO or SC, with what it takes as a load and a store; nullptr: it misses.
template <typename Word, typename Lookup>
std::uint8_t* place_to_change(Word address, unsigned size, const Lookup& lookup, Picoseconds& time) {
  TlbEntry<Word>&read = lookup.read(address), &write = lookup.write(address);
  if (lookup.masked(address, size) != read.tag || read.tag != write.tag) return nullptr;
  for (TlbEntry<Word>* entry : {&read, &write}) {
    entry->traffic += traffic::of(size);
    time += size > 4 ? entry->wide_latency : entry->latency;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the addend leads from guest to host addresses
  return reinterpret_cast<std::uint8_t*>(write.addend + address);
}

/// An AMO, as a load and a store. False: it misses.
template <typename Word, typename Lookup>
bool operate_atomic(Opcode opcode, const Op* op, State<Word>& s, const Lookup& lookup, Picoseconds& time) {
  const unsigned size = plain_amo_size(opcode);
  std::uint8_t* const place = place_to_change(s.x[op->rs1], size, lookup, time);
  if (!place) return false;
  const std::uint64_t before = bytes_at(place, size);
  const AtomicOperation operation = operation_of(size == 8 ? word_form(opcode) : opcode);
  const std::uint64_t after = vp::apply(operation, size, before, s.x[op->rs2]);
  std::memcpy(place, &after, size);
  s.x[op->rd] = as_register<Word>(before, size);
  return true;
}

/// csrrs or csrrc of sstatus. False: more than SIE may change, or an interrupt might come.
template <typename Word>
bool operate_on_status(Opcode opcode, const Op* op, State<Word>& s) {
  const bool sets = opcode == Opcode::csrrs || opcode == Opcode::csrrsi;
  const bool immediate = opcode == Opcode::csrrsi || opcode == Opcode::csrrci;
  const Word bits = immediate ? op->rs1 : s.x[op->rs1];
  if ((bits & ~static_cast<Word>(kMstatusSie)) != 0 || (sets && (s.mip & s.mie) != 0)) return false;
  const Word before = s.mstatus;
  s.mstatus = sets ? before | bits : before & ~bits;
  s.x[op->rd] = before & kSstatusReadable<Word>;
  return true;
}

/// A CSR that is a value and nothing else.
template <typename Word>
bool operate_on_plain_csr(Opcode opcode, const Op* op, State<Word>& s, const PlainCsr<Word>& csr) {
  const Word before = csr.read(s);
  if (opcode == Opcode::csrrw) s.*csr.field = s.x[op->rs1] & csr.writable;
  if (opcode == Opcode::csrrwi) s.*csr.field = op->rs1 & csr.writable;
  s.x[op->rd] = before;
  return true;
}

/// One operation of generated code, but those that end a block. False: it is not one, or misses.
template <typename Word, typename Lookup>
bool operate_any(Opcode opcode, const Op* op, State<Word>& s, const Block* block, const Lookup& lookup,
                 Picoseconds& time) {
  switch (opcode) {
#define X(name, match, mask, format, cls, width) \
  case Opcode::name:                             \
    return operate<Opcode::name>(op, s.x.data(), block, lookup, time);
    VP_CPU_PLAIN_OPCODES(X)
#undef X
    case Opcode::fence:
      return true;
    default:
      if (plain_amo_size(opcode) != 0) return operate_atomic(opcode, op, s, lookup, time);
      return is_float(opcode) && operate_any_float(opcode, op, s, lookup, time);
  }
}

template <typename Word>
bool is_taken(Opcode opcode, const Op* op, const Word* x) {
  switch (opcode) {
#define X(name, match, mask, format, cls, width) \
  case Opcode::name:                             \
    return condition<Opcode::name>(op, x);
    VP_CPU_BRANCH_OPCODES(X)
#undef X
    default:
      return false;
  }
}

bool is_jump(Opcode opcode) {
  return (opcode >= Opcode::beq && opcode <= Opcode::bgeu) || opcode == Opcode::jal || opcode == Opcode::jalr;
}

}  // namespace

/// Memory as generated code finds it, for the interpreter's operations.
template <typename Word>
class BlockCheck<Word>::Lookup {
 public:
  Lookup(const NativeMemory& memory, const NativeFrame& frame) : memory_(memory), frame_(frame) {
    for (const bool write : {false, true}) {
      entries_[write].latency = static_cast<std::uint32_t>(memory.latency(write, 4));
      entries_[write].wide_latency = static_cast<std::uint32_t>(memory.latency(write, 8));
    }
  }
  TlbEntry<Word>& read(Word address) const { return find(false, address); }
  TlbEntry<Word>& write(Word address) const { return find(true, address); }
  template <std::size_t size>
  Word masked(Word address) const {
    return masked(address, size);
  }
  Word masked(Word address, unsigned size) const {
    return address & (static_cast<Word>(std::int64_t{memory_.tag_mask}) | (size - 1));
  }
  std::uint64_t traffic(bool write) const { return entries_[write].traffic; }

 private:
  TlbEntry<Word>& find(bool write, Word address) const {
    const auto* const table = static_cast<const std::byte*>(frame_.reads) + (write ? memory_.writes_behind : 0);
    const std::byte* const place = table + (static_cast<std::uint32_t>(address) >> memory_.shift & memory_.index_mask);
    TlbEntry<Word>& entry = entries_[write];
    std::memcpy(&entry.tag, place, sizeof entry.tag);
    std::memcpy(&entry.addend, place + offsetof(TlbEntry<Word>, addend), sizeof entry.addend);
    return entry;
  }

  const NativeMemory& memory_;
  const NativeFrame& frame_;
  mutable TlbEntry<Word> entries_[2];  ///< the one found last; their traffic is that of all
};

template <typename Word>
void BlockCheck<Word>::foresee(const State<Word>& state, Block& block, unsigned first, const NativeMemory& memory,
                               const NativeFrame& frame) {
  const Lookup lookup(memory, frame);
  block_ = &block;
  stored_.clear();
  reserves_ = frame.reserves != 0;
  reserved_ = frame.reserved;
  after_ = state;
  after_.time -= block.info[first].cycles_before * clock_;  // the sums begin with the block
  after_.retired -= first;
  go_through(after_, block, first, lookup);
  read_traffic_ = lookup.traffic(false);
  write_traffic_ = lookup.traffic(true);
  budget_ = inside_ == kToItsEnd ? after_.time - state.time : block.cost;
  for (Stored& one : stored_) one.after = bytes_at(one.place, one.size);
  for (auto one = stored_.rbegin(); one != stored_.rend(); ++one) std::memcpy(one->place, &one->before, one->size);
}

template <typename Word>
void BlockCheck<Word>::go_through(State<Word>& s, Block& block, unsigned first, const Lookup& lookup) {
  Picoseconds latency = 0;
  for (unsigned i = first; i < block.count; ++i) {
    const Op& op = block.ops()[i];
    const Opcode opcode = block.info[i].opcode;
    if (is_jump(opcode)) return end(s, block, i, latency, op);
    if (const unsigned size = direct_bytes(opcode).written) note_store(s, op, size, lookup);
    if (instruction(s, block, i, lookup, latency)) continue;
    inside_ = i;
    s.pc = static_cast<Word>(block.pc + block.info[i].offset);
    s.time += block.info[i].cycles_before * clock_ + latency;
    s.retired += i;
    return;
  }
  end(s, block, static_cast<unsigned>(block.count), latency, block.ops()[block.count]);
}

/// One that does not end the block. False: it has no code, or misses.
template <typename Word>
bool BlockCheck<Word>::instruction(State<Word>& s, const Block& block, unsigned index, const Lookup& lookup,
                                   Picoseconds& time) {
  const Op& op = const_cast<Block&>(block).ops()[index];
  const Opcode opcode = block.info[index].opcode;
  if (switches_interrupts(block, index)) return operate_on_status(opcode, &op, s);
  if (const auto csr = plain_csr_of<Word>(config_, block, index)) return operate_on_plain_csr(opcode, &op, s, *csr);
  if (is_lr(opcode)) return load_reserved(s, op, direct_bytes(opcode).read, lookup, time);
  if (is_sc(opcode)) return store_conditional(s, op, direct_bytes(opcode).read, lookup, time);
  return operate_any(opcode, &op, s, &block, lookup, time);
}

template <typename Word>
bool BlockCheck<Word>::load_reserved(State<Word>& s, const Op& op, unsigned size, const Lookup& lookup,
                                     Picoseconds& time) {
  const Word address = s.x[op.rs1];
  TlbEntry<Word>& entry = lookup.read(address);
  if (!reserves_ || lookup.masked(address, size) != entry.tag) return false;
  entry.traffic += traffic::of(size);
  time += size > 4 ? entry.wide_latency : entry.latency;
  s.reserved = true;
  s.reservation = address;
  s.reserved_size = reserved_ = size;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the addend leads from guest to host addresses
  const std::uint64_t value = bytes_at(reinterpret_cast<const std::uint8_t*>(entry.addend + address), size);
  s.x[op.rd] = as_register<Word>(value, size);
  return true;
}

/// False: it might fail, too.
template <typename Word>
bool BlockCheck<Word>::store_conditional(State<Word>& s, const Op& op, unsigned size, const Lookup& lookup,
                                         Picoseconds& time) {
  if (reserved_ != size || s.reservation != s.x[op.rs1]) return false;
  std::uint8_t* const place = place_to_change(s.x[op.rs1], size, lookup, time);
  if (!place) return false;
  std::memcpy(place, &s.x[op.rs2], size);
  s.reserved = false;
  reserved_ = NativeFrame::kClaimed;
  s.x[op.rd] = 0;
  return true;
}

template <typename Word>
void BlockCheck<Word>::note_store(const State<Word>& s, const Op& op, unsigned size, const Lookup& lookup) {
  const Word address = s.x[op.rs1] + static_cast<Word>(op.imm);
  const TlbEntry<Word>& entry = lookup.write(address);
  if (lookup.masked(address, size) != entry.tag) return;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the addend leads from guest to host addresses
  auto* const place = reinterpret_cast<std::uint8_t*>(entry.addend + address);
  stored_.push_back({place, size, bytes_at(place, size), 0});
}

/// Behind the last instruction, which may be a jump.
template <typename Word>
void BlockCheck<Word>::end(State<Word>& s, const Block& block, unsigned index, Picoseconds latency, const Op& op) {
  const Opcode opcode = block.info[index].opcode;
  const bool branches = is_taken(opcode, &op, s.x.data()), jumps = opcode == Opcode::jal || opcode == Opcode::jalr;
  s.pc = static_cast<Word>(branches || opcode == Opcode::jal ? block.taken_pc : block.next_pc);
  if (opcode == Opcode::jalr) s.pc = (s.x[op.rs1] + static_cast<Word>(op.imm)) & ~Word{1};
  if (jumps) s.x[op.rd] = static_cast<Word>(block.next_pc);
  s.time += block.cost + latency + (branches ? block.taken_cost : 0);
  s.retired += block.count;
  inside_ = kToItsEnd;
}

template <typename Word>
void BlockCheck<Word>::differs(const std::string& what, std::uint64_t code, std::uint64_t interpreter) const {
  std::ostringstream text;
  text << std::hex << "generated code is wrong: behind the block of " << std::dec << block_->count
       << " instructions at pc 0x" << std::hex << block_->pc << ", " << what << " is 0x" << code
       << ", and interpreted 0x" << interpreter;
  throw std::logic_error(text.str());
}

/// Registers, of which all are looked at and none is named while they are equal.
template <typename Word>
template <typename Values>
void BlockCheck<Word>::same_registers(char file, const Values& code, const Values& interpreter) const {
  constexpr std::size_t kRegisters = 32;
  if (std::memcmp(code.data(), interpreter.data(), kRegisters * sizeof code[0]) == 0) return;
  for (std::size_t i = 0; i < kRegisters; ++i)
    if (code[i] != interpreter[i]) differs(file + std::to_string(i), code[i], interpreter[i]);
}

template <typename Word>
void BlockCheck<Word>::compare(const State<Word>& state, const NativeFrame& frame) const {
  const bool inside = frame.left == NativeFrame::Left::inside;
  same("the instruction before which it was left", inside ? static_cast<unsigned>(frame.detail) : kToItsEnd, inside_);
  same("pc", state.pc, after_.pc);
  same_registers('x', state.x, after_.x);
  same_registers('f', state.f, after_.f);
  same("fflags", state.fflags, after_.fflags);
  same("mstatus", state.mstatus, after_.mstatus);
  for (const auto& [name, csr] : {std::pair{"mscratch", &State<Word>::mscratch},
                                  {"mepc", &State<Word>::mepc},
                                  {"mcause", &State<Word>::mcause},
                                  {"mtval", &State<Word>::mtval},
                                  {"sscratch", &State<Word>::sscratch},
                                  {"sepc", &State<Word>::sepc},
                                  {"scause", &State<Word>::scause},
                                  {"stval", &State<Word>::stval}})
    same(name, state.*csr, after_.*csr);
  same("the time in ps", state.time, after_.time);
  same("the number of instructions", state.retired, after_.retired);
  same("the traffic of loads", frame.read_traffic, read_traffic_);
  same("the traffic of stores", frame.write_traffic, write_traffic_);
  same("the reservation's validity", state.reserved, after_.reserved);
  same("the reservation's address", state.reservation, after_.reservation);
  same("the reservation's size", state.reserved_size, after_.reserved_size);
  same("what nobody else knows of it", frame.reserved, reserved_);
  for (const Stored& one : stored_)
    if (const std::uint64_t now = bytes_at(one.place, one.size); now != one.after)
      differs("memory of " + std::to_string(one.size) + " bytes", now, one.after);
}

template class BlockCheck<std::uint32_t>;
template class BlockCheck<std::uint64_t>;

}  // namespace vp::cpu
