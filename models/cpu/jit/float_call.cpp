#include "models/cpu/jit/float_call.h"

#include "models/cpu/float_operations.h"
#include "models/cpu/float_unit.h"

namespace vp::cpu {
namespace {

/// No operation between registers looks for memory.
template <typename Word>
struct NoLookup {
  TlbEntry<Word>& read(Word) const { return none; }
  TlbEntry<Word>& write(Word) const { return none; }
  template <std::size_t size>
  Word masked(Word) const {
    return ~none.tag;
  }
  TlbEntry<Word>& none;
};

/// What the interpreter's inner loop does. False: it does not, or not with these operands.
template <typename Word>
bool operate_by_host(State<Word>& s, const Op& op, Opcode opcode) {
  TlbEntry<Word> none;
  const NoLookup<Word> lookup{none};
  Picoseconds time = 0;
  switch (opcode) {
#define X(name, match, mask, format, cls, width) \
  case Opcode::name:                             \
    return operate_float<Opcode::name>(&op, s, lookup, time);
    VP_CPU_FLOAT_OPCODES(X)
#undef X
    default:
      return false;
  }
}

template <typename Word>
bool by_integers(State<Word>& s, const Op& op, Opcode opcode) {
  return FloatUnit<Word>(s).execute(op, opcode);
}

template <typename Word>
bool by_host_or_integers(State<Word>& s, const Op& op, Opcode opcode) {
  if (rounds_by_host(opcode, op.imm) && operate_by_host(s, op, opcode)) return true;
  return by_integers(s, op, opcode);
}

}  // namespace

template <typename Word>
FloatCall<Word> float_call(bool by_host) {
  return by_host ? by_host_or_integers<Word> : by_integers<Word>;
}

template FloatCall<std::uint32_t> float_call<std::uint32_t>(bool);
template FloatCall<std::uint64_t> float_call<std::uint64_t>(bool);

}  // namespace vp::cpu
