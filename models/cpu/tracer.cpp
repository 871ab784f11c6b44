#include "models/cpu/tracer.h"

#include <utility>

#include "models/cpu/csrs.h"
#include "models/cpu/memory_operations.h"

namespace vp::cpu {

template <typename Word>
void Tracer<Word>::set_hook(std::function<void(const TraceRecord&)> hook, const TraceWindow& window) {
  hook_ = std::move(hook);
  window_ = window;
  on_ = false;
  edge_ = hook_ ? window.from : kNever;
}

template <typename Word>
bool Tracer<Word>::look() {
  const bool before = on_;
  const bool inside = s_.time >= window_.from && s_.time < window_.to;
  on_ = inside && !paused_;
  edge_ = s_.time < window_.from ? window_.from : inside ? window_.to : kNever;
  return on_ != before;
}

template <typename Word>
void Tracer<Word>::before(const Op& op, const InstructionInfo& info) {
  record_ = {};
  record_.time = s_.time;
  record_.pc = s_.pc;
  record_.encoding = info.encoding;
  record_.length = info.length;
  record_.mode = s_.mode;
  operand_ = float_operands(info.opcode).rs2 ? s_.f[op.rs2] : std::uint64_t{s_.x[op.rs2]};
  // An operation of F or D raises flags; which ones is seen if none is set.
  if (is_float(info.opcode)) flags_ = std::exchange(s_.fflags, std::uint8_t{0});
  const bool plain = memory_shape(info.opcode).size != 0;
  record_.has_address = plain || is_atomic_word(info.opcode) || is_atomic_double(info.opcode);
  record_.address = static_cast<Word>(s_.x[op.rs1] + static_cast<Word>(plain ? op.imm : 0));
}

template <typename Word>
void Tracer<Word>::after(const Op& op, Opcode opcode, bool trapped) {
  record_.trapped = trapped;
  const std::uint8_t raised = s_.fflags;
  if (is_float(opcode)) s_.fflags |= flags_;
  if (trapped) {
    record_.cause = static_cast<unsigned>(hart_.fault.cause);
  } else {
    if (float_operands(opcode).rd) {
      record_.fd = op.rd;
      record_.float_value = s_.f[op.rd];
    } else if (op.rd != kSink) {
      record_.rd = op.rd;
    }
    record_.value = s_.x[record_.rd];
    note_memory(op, opcode);
    note_csr(op, opcode);
    if (is_float(opcode) && raised != 0) note_flags();
  }
  hook_(record_);
}

template <typename Word>
void Tracer<Word>::note_memory(const Op& op, Opcode opcode) {
  if (const MemoryShape shape = memory_shape(opcode); shape.size != 0) {
    (shape.store ? record_.stored : record_.loaded) = shape.size;
    record_.stored_value = operand_;
    return;
  }
  const bool wide = is_atomic_double(opcode);
  if (!wide && !is_atomic_word(opcode)) return;
  const Opcode base = wide ? word_form(opcode) : opcode;
  const std::uint8_t size = wide ? 8 : 4;
  const Word result = s_.x[op.rd];  // also if rd is x0
  if (base != Opcode::sc_w) record_.loaded = size;
  if (base == Opcode::lr_w || (base == Opcode::sc_w && result != 0)) return;
  record_.stored = size;
  record_.stored_value = base == Opcode::sc_w ? operand_ : apply(operation_of(base), size, result, operand_);
}

/// The new value as it is read back; mret writes mstatus.
template <typename Word>
void Tracer<Word>::note_csr(const Op& op, Opcode opcode) {
  if (is_csr(opcode) && writes_csr(opcode, op.rs1))
    record_.csr = static_cast<unsigned>(op.imm);
  else if (opcode == Opcode::mret)
    record_.csr = csr_mstatus;
  else
    return;
  Word value = 0;
  csrs_.read(record_.csr, value);
  record_.csr_value = value;
}

template <typename Word>
void Tracer<Word>::note_flags() {
  record_.csr = csr_fflags;
  record_.csr_value = s_.fflags;
}

template class Tracer<std::uint32_t>;
template class Tracer<std::uint64_t>;

}  // namespace vp::cpu
