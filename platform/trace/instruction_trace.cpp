#include "platform/trace/instruction_trace.h"

#include <cstdio>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp {

namespace {

constexpr std::size_t kKnown = 1 << 14;  // instructions
constexpr std::size_t kBuffer = 1 << 18;

std::uint64_t address_of(const std::string& text, const std::string& option) {
  try {
    return parse_integer(text);
  } catch (const UserError&) {
    throw UserError(option + ": '" + text.substr(0, 80) + "' is neither an address nor a symbol of the program");
  }
}

}  // namespace

cpu::TraceWindow parse_pc_window(const std::string& text, const SymbolTable& symbols, const std::string& option) {
  cpu::TraceWindow window;
  if (const auto range = symbols.range(text)) {
    window.first_pc = range->first;
    window.last_pc = range->last;
    return window;
  }
  const std::size_t dash = text.find('-');
  window.first_pc = address_of(text.substr(0, dash), option);
  window.last_pc = dash == std::string::npos ? window.first_pc : address_of(text.substr(dash + 1), option);
  if (window.last_pc < window.first_pc)
    throw UserError(option + ": '" + text.substr(0, 80) + "' ends before it starts");
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
