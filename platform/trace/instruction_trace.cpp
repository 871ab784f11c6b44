#include "platform/trace/instruction_trace.h"

#include <cinttypes>
#include <cstdio>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/trace/disassembler.h"

namespace vp {

namespace {

std::uint64_t address_of(const std::string& text, const std::string& option) {
  try {
    return parse_integer(text);
  } catch (const UserError&) {
    throw UserError(option + ": '" + text.substr(0, 80) + "' is neither an address nor a symbol of the program");
  }
}

}  // namespace

TraceWindow parse_pc_window(const std::string& text, const SymbolTable& symbols, const std::string& option) {
  TraceWindow window;
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

InstructionTrace::InstructionTrace(const std::string& path, TraceWindow window, unsigned xlen,
                                   const SymbolTable& symbols)
    : output_(path), window_(window), xlen_(xlen), symbols_(symbols) {}

void InstructionTrace::write(const cpu::TraceRecord& record) {
  const int width = static_cast<int>(xlen_ / 4);
  const std::string symbol = symbols_.describe(record.pc);
  const std::string text = disassemble(record.encoding, record.pc, xlen_);
  std::FILE* file = output_.file();
  std::fprintf(file, "%12" PRIu64 ".%03u %c %0*" PRIx64 " %0*" PRIx32 "%*s %-24s %-28s", record.time / 1000,
               static_cast<unsigned>(record.time % 1000), record.mode == cpu::Mode::kMachine ? 'M' : 'U', width,
               record.pc, record.length * 2, record.encoding, 8 - record.length * 2, "", symbol.c_str(), text.c_str());
  if (record.trapped) std::fputs(" trap", file);
  if (record.rd != 0) std::fprintf(file, " %s=%0*" PRIx64, register_name(record.rd), width, record.value);
  if (record.has_address) std::fprintf(file, " [%0*" PRIx64 "]", width, record.address);
  std::fputc('\n', file);
}

}  // namespace vp
