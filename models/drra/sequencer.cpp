#include "models/drra/sequencer.h"

#include <stdexcept>
#include <utility>

namespace vp::drra {
namespace {

constexpr unsigned kPcMask = kInstructionWords - 1;

}  // namespace

void Sequencer::load(const std::vector<std::uint32_t>& words, DecoderProfile profile) {
  if (words.size() > kInstructionWords) throw std::logic_error("a program is larger than the instruction memory");
  auto code = std::make_shared<Code>();
  for (std::size_t i = 0; i < words.size(); ++i) code->words[i] = words[i] & kChunkMask;
  length_ = static_cast<unsigned>(words.size());
  for (unsigned i = 0; i < kInstructionWords; ++i) {
    // An instruction may reach over the end of the memory.
    const std::uint32_t chunks[] = {code->words[i], code->words[(i + 1) & kPcMask], code->words[(i + 2) & kPcMask]};
    code->instructions[i] = decode(chunks, profile);
  }
  code_ = std::move(code);
}

const std::shared_ptr<const Sequencer::Code>& Sequencer::no_code() {
  static const std::shared_ptr<const Code> none = std::make_shared<Code>();
  return none;
}

void Sequencer::start(Cycle cycle) {
  pc_ = 0;
  loops_.clear();
  for (unsigned loop = 0; loop < kLoops; ++loop) raccu_.write(iterator_register(loop), 0);
  if (length_ == 0) return;
  next_ = cycle;
  state_ = SequencerState::running;
}

unsigned Sequencer::dynamic(const Instruction& instruction, unsigned field, unsigned flag, unsigned width) const {
  if (instruction[flag] == 0) return instruction[field];
  return static_cast<unsigned>(raccu_[instruction[field]]) & ((1u << width) - 1);
}

void Sequencer::settle_iterators(Cycle cycle) {
  if (written_iterator_ < 0 || cycle <= written_at_ + 1) return;
  const auto number = static_cast<unsigned>(written_iterator_);
  written_iterator_ = -1;
  if (!loops_.active(kRaccuRegisters - 1 - number)) raccu_.write(number, 0);
}

void Sequencer::iterator_written(unsigned number, Cycle cycle) {
  if (number < kRaccuRegisters - kLoops || loops_.active(kRaccuRegisters - 1 - number)) return;
  if (written_iterator_ >= 0 && static_cast<unsigned>(written_iterator_) != number)
    settle_iterators(written_at_ + 2);  // the register written in the cycle before
  written_iterator_ = static_cast<int>(number);
  written_at_ = cycle;
}

bool Sequencer::complete(Cycle cycle, Cycle duration, std::optional<unsigned> target) {
  const unsigned pc = pc_;
  const unsigned behind = pc + current().chunks;
  if (pc < length_ && behind >= length_) {  // the last loaded word ends a program, whatever it is
    next_ = kNever;
    state_ = SequencerState::ended;
    return false;
  }
  const std::optional<unsigned> body = loops_.end_of_body(pc, raccu_);
  go_on(cycle + duration, (target || body) ? target.value_or(0) | body.value_or(0) : behind);
  return target && body;
}

void Sequencer::skip_body(Cycle cycle, unsigned end) {
  go_on(cycle + 1, loops_.end_of_body(end, raccu_).value_or(end + 1));
}

void Sequencer::halt() {
  next_ = kNever;
  pc_ = 0;
  state_ = SequencerState::halted;
}

void Sequencer::go_on(Cycle cycle, unsigned pc) {
  pc_ = pc & kPcMask;
  next_ = cycle;
}

}  // namespace vp::drra
