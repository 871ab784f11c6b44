#include "platform/trace/instruction_trace.h"

#include <cstdio>

namespace vp {

namespace {

constexpr std::size_t kKnown = 1 << 14;  // instructions
constexpr std::size_t kBuffer = 1 << 18;

}  // namespace

cpu::TraceWindow parse_pc_window(const std::string& text, const SymbolTable& symbols) {
  const SymbolTable::Range range = parse_pc_range(text, symbols, "--trace-pc");
  cpu::TraceWindow window;
  window.first_pc = range.first;
  window.last_pc = range.last;
  return window;
}

InstructionTrace::InstructionTrace(const std::string& path, const cpu::TraceWindow& window, TraceStyle style,
                                   unsigned xlen, const SymbolTable& symbols)
    : output_(path),
      at_once_(path.empty() || path == "-"),
      window_(window),
      format_(TraceFormat::make(style, xlen, symbols)),
      known_(kKnown),
      buffer_(kBuffer) {}

InstructionTrace::~InstructionTrace() { flush(); }

void InstructionTrace::operator()(const cpu::TraceRecord& record) {
  const std::string& fixed = fixed_part(record);
  char* const begin = room(fixed.size() + TraceFormat::kRest);
  LineWriter to(begin);
  format_->line(to, fixed, record);
  used_ += static_cast<std::size_t>(to.end() - begin);
  if (at_once_) flush();
}

void InstructionTrace::operator()(const cpu::TrapRecord& trap) {
  const bool shown_by_its_instruction =
      !trap.interrupt && trap.cause != static_cast<unsigned>(cpu::Cause::instruction_access_fault);
  if (shown_by_its_instruction || !window_.contains(trap.pc, trap.time)) return;
  const std::string line = format_->trap(trap);
  LineWriter(room(line.size())).put(line);
  used_ += line.size();
  if (at_once_) flush();
}

/// Direct-mapped: what is executed again is found, as it is in the hart's own table of blocks.
const std::string& InstructionTrace::fixed_part(const cpu::TraceRecord& record) {
  Known& known = known_[record.pc / 2 % kKnown];
  if (known.pc != record.pc || known.encoding != record.encoding || known.mode != record.mode)
    known = {record.pc, record.encoding, record.mode, format_->fixed(record)};
  return known.text;
}

char* InstructionTrace::room(std::size_t size) {
  if (buffer_.size() - used_ < size) flush();
  if (buffer_.size() < size) buffer_.resize(size);
  return buffer_.data() + used_;
}

void InstructionTrace::flush() {
  if (output_.file() != nullptr) std::fwrite(buffer_.data(), 1, used_, output_.file());
  used_ = 0;
}

void InstructionTrace::close() {
  flush();
  output_.close();
}

}  // namespace vp
