#include "platform/trace/trace_format.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <vector>

#include "models/cpu/causes.h"
#include "models/cpu/csrs.h"
#include "platform/trace/disassembler.h"

namespace vp {

namespace {

using cpu::TraceRecord;

constexpr unsigned kCsrs = 4096;
constexpr unsigned kFloatDigits = 16;

/// "name" for each CSR number, in the way of a format; looked up with every write of one.
template <typename Name>
std::vector<std::string> csr_texts(Name name) {
  std::vector<std::string> texts(kCsrs);
  for (unsigned number = 0; number < kCsrs; ++number) texts[number] = name(number, cpu::csr_name(number));
  return texts;
}

std::string hex_text(std::uint64_t value, unsigned digits) {
  std::array<char, 20> text{};
  LineWriter to(text.data());
  to.hex(value, digits);
  return {text.data(), digits};
}

/// "  123.456 M 0000000080000004 00a50533 main+0x4   add a0,a0,a0   a0=…, [address], [address]=stored value, csr=…".
class TextFormat : public TraceFormat {
 public:
  TextFormat(unsigned xlen, const SymbolTable& symbols)
      : xlen_(xlen),
        digits_(xlen / 4),
        symbols_(symbols),
        csrs_(csr_texts([](unsigned number, const std::string& name) {
          return " " + (name.empty() ? "csr_0x" + hex_text(number, 4).substr(1) : name) + "=";
        })) {
    for (unsigned i = 0; i < 32; ++i) registers_[i] = std::string(" ") + register_name(i) + "=";
    for (unsigned i = 0; i < cpu::kCauses; ++i) causes_[i] = " trap: " + cpu::cause_text(false, i);
    for (unsigned i = 0; i < 32; ++i) floats_[i] = std::string(" ") + float_register_name(i) + "=";
  }

  std::string fixed(const TraceRecord& record) const override {
    std::string text = place(record.mode, record.pc) + " " + hex_text(record.encoding, 2u * record.length);
    text.append(1 + 8 - 2u * record.length, ' ');
    add_symbol(text, record.pc);
    const std::string instruction = disassemble(record.encoding, record.pc, xlen_);
    text += instruction;
    text.append(instruction.size() < 28 ? 28 - instruction.size() : 0, ' ');
    return text;
  }

  void line(LineWriter& to, const std::string& fixed, const TraceRecord& record) const override {
    time(to, record.time);
    to.put(fixed);
    if (record.trapped) to.put(causes_[record.cause % cpu::kCauses]);
    if (record.rd != 0) {
      to.put(registers_[record.rd]);
      to.hex(record.value, digits_);
    }
    if (record.fd != TraceRecord::kNoFloat) {
      to.put(floats_[record.fd]);
      to.hex(record.float_value, kFloatDigits);
    }
    if (record.has_address) {
      to.put(" [", 2);
      to.hex(record.address, digits_);
      to.put(']');
    }
    if (record.stored != 0) {
      to.put('=');
      to.hex(record.stored_value, 2u * record.stored);
    }
    if (record.csr != TraceRecord::kNoCsr) {
      to.put(csrs_[record.csr % kCsrs]);
      to.hex(record.csr_value, digits_);
    }
    to.put('\n');
  }

  std::string trap(const cpu::TrapRecord& trap) const override {
    std::array<char, 40> clock{};
    LineWriter to(clock.data());
    time(to, trap.time);
    std::string text(clock.data(), to.end());
    text += place(trap.mode, trap.pc) + std::string(10, ' ');
    add_symbol(text, trap.pc);
    text += (trap.interrupt ? "takes the " : "trap: ") + cpu::cause_text(trap.interrupt, trap.cause);
    return text + "; handler at " + hex_text(trap.handler, digits_) + "\n";
  }

 private:
  /// In ns, as 12 digits and 3 decimals, with a blank behind.
  static void time(LineWriter& to, Picoseconds time) {
    to.decimal(time / 1000, 12);
    to.put('.');
    to.decimal(time % 1000, 3, '0');
    to.put(' ');
  }
  std::string place(cpu::Mode mode, std::uint64_t pc) const {
    const char* const letter = mode == cpu::Mode::kMachine ? "M " : mode == cpu::Mode::kSupervisor ? "S " : "U ";
    return letter + hex_text(pc, digits_);
  }
  void add_symbol(std::string& line, std::uint64_t pc) const {
    constexpr std::size_t kColumn = 24;
    const std::string symbol = symbols_.describe(pc);
    line += symbol;
    line.append(symbol.size() < kColumn ? kColumn - symbol.size() : 0, ' ');
    line += ' ';
  }

  unsigned xlen_, digits_;
  const SymbolTable& symbols_;
  std::vector<std::string> csrs_;
  std::array<std::string, 32> registers_;
  std::array<std::string, 32> floats_;
  std::array<std::string, cpu::kCauses> causes_;
};

/// "core   0: 3 0x0000000080000004 (0x00a50533) x10 0x… c768_mstatus 0x… mem 0x… mem 0x… 0x…": Spike's
/// commit_log_print_insn (riscv/execute.cc). It shows neither instructions that trap nor traps.
class SpikeFormat : public TraceFormat {
 public:
  explicit SpikeFormat(unsigned xlen)
      : digits_(xlen / 4), csrs_(csr_texts([](unsigned number, const std::string& name) {
          return " c" + std::to_string(number) + "_" + (name.empty() ? "unknown" : name) + " 0x";
        })) {
    for (unsigned i = 0; i < 32; ++i) {
      const std::string number = std::to_string(i) + (i < 10 ? " " : "");
      registers_[i] = " x" + number + " 0x";
      floats_[i] = " f" + number + " 0x";
    }
  }

  std::string fixed(const TraceRecord& record) const override {
    return "core   0: " + std::to_string(static_cast<unsigned>(record.mode)) + " 0x" + hex_text(record.pc, digits_) +
           " (0x" + hex_text(record.encoding, 2u * record.length) + ")";
  }

  void line(LineWriter& to, const std::string& fixed, const TraceRecord& record) const override {
    if (record.trapped) return;
    to.put(fixed);
    if (record.rd != 0) {
      to.put(registers_[record.rd]);
      to.hex(record.value, digits_);
    }
    if (record.fd != TraceRecord::kNoFloat) {
      to.put(floats_[record.fd]);
      to.hex(record.float_value, kFloatDigits);
    }
    if (record.csr != TraceRecord::kNoCsr) {
      to.put(csrs_[record.csr % kCsrs]);
      to.hex(record.csr_value, digits_);
    }
    if (record.loaded != 0) {
      to.put(" mem 0x", 7);
      to.hex(record.address, digits_);
    }
    if (record.stored != 0) {
      to.put(" mem 0x", 7);
      to.hex(record.address, digits_);
      to.put(" 0x", 3);
      to.hex(record.stored_value, 2u * record.stored);
    }
    to.put('\n');
  }

  std::string trap(const cpu::TrapRecord&) const override { return ""; }

 private:
  unsigned digits_;
  std::vector<std::string> csrs_;
  std::array<std::string, 32> registers_;
  std::array<std::string, 32> floats_;
};

}  // namespace

std::unique_ptr<TraceFormat> TraceFormat::make(TraceStyle style, unsigned xlen, const SymbolTable& symbols) {
  if (style == TraceStyle::spike) return std::make_unique<SpikeFormat>(xlen);
  return std::make_unique<TextFormat>(xlen, symbols);
}

}  // namespace vp
