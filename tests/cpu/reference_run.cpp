#include "tests/cpu/reference_run.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr std::uint64_t kBlock = kBase + 0x4000;      // variables of the frame
constexpr std::uint64_t kTables = kBase + 0x8000;     // register values
constexpr std::uint64_t kPieces = kBase + 0x20'0000;  // code of the pieces
constexpr std::uint64_t kResults = kBase + 0x80'0000;
constexpr std::size_t kImageSize = 0xc0'0000;

// Words of the block of variables.
enum Slot {
  kSaved5,
  kSaved6,
  kSaved7,
  kHash,
  kNextPiece,
  kRemaining,
  kNextResult,
  kFirstTable,
  kTable,
  kLastTable,
  kSetup
};

/// Writes the frame: start, trap handler, and the dump at the end.
class Frame {
 public:
  Frame(const ReferenceProgram& program, unsigned piece_bytes)
      : program_(program), word_(program.xlen / 8), piece_bytes_(piece_bytes) {}

  std::vector<std::uint32_t> code() {
    start();
    handler();
    end_of_piece();
    next_piece();
    dump();
    patch(to_end_);
    return code_;
  }

 private:
  using Label = std::size_t;

  void emit(std::initializer_list<std::uint32_t> words) { code_.insert(code_.end(), words); }
  std::uint32_t get(unsigned rd, unsigned base, int slot) const {
    return load_x(program_.xlen, rd, base, slot * word_);
  }
  std::uint32_t set(unsigned rs, unsigned base, int slot) const {
    return store_x(program_.xlen, rs, base, slot * word_);
  }
  void load_address(unsigned rd, std::uint64_t address) {  // below 4 GiB, multiple of 2048 or not
    const auto low = static_cast<std::int32_t>(address << 52 >> 52) << 20 >> 20;
    emit({lui(rd, static_cast<std::uint32_t>((address - static_cast<std::uint64_t>(low)) >> 12) & 0xfffff),
          addi(rd, rd, low)});
    if (program_.xlen == 64) emit({slli(rd, rd, 32), i(32, rd, 5, rd, 0x13)});
  }
  /// x7 = x7 × 31 + reg; x6 is used.
  void mix(unsigned reg) { emit({slli(6, 7, 5), r(0x20, 7, 6, 0, 7, 0x33), add(7, 7, reg)}); }

  void start() {
    emit({jal(0, 8), 0});
    // The handler's address is patched in when it is known: it follows this part.
    load_address(4, kBlock);
    emit({csrw(mscratch, 4), addi(5, 0, -1), csrw(pmpaddr0, 5), addi(5, 0, 0x1f), csrw(pmpcfg0, 5)});
    emit({csrrwi(0, mie, 0), lui(5, 2), addi(5, 5, -0x800), csrrc(0, mstatus, 5)});
    if (program_.supervisor_mode) emit({lui(5, 1), addi(5, 5, -0x800)});
    if (!program_.user_mode) emit({csrrs(0, mstatus, 5)});
    if (program_.floating) emit({lui(5, 2), csrrs(0, mstatus, 5)});
    for (std::size_t i = 0; i < program_.setup.size(); ++i)
      emit({get(5, 4, kSetup + static_cast<int>(i)), csrw(program_.setup[i].first, 5)});
    emit({auipc(5, 0), addi(5, 5, 16), csrw(mtvec, 5)});
    to_next_ = code_.size();
    emit({0});  // jump to next_piece
  }

  void handler() {
    emit({csrrw(4, mscratch, 4), set(5, 4, kSaved5), set(6, 4, kSaved6), set(7, 4, kSaved7), get(7, 4, kHash),
          csrr(5, mcause)});
    emit({addi(6, 5, program_.user_mode ? -8 : program_.supervisor_mode ? -9 : -11)});
    to_end_.push_back(code_.size());
    emit({0});  // beq x6, x0, end_of_piece
    mix(5);
    emit({csrr(5, mepc)});
    mix(5);
    // mtval of ebreak is 0 or its address, which implementations choose (trap_test.cpp has ours).
    emit({csrr(6, mcause), csrr(5, mtval), addi(6, 6, -3), bne(6, 0, 8), addi(5, 0, 0)});
    mix(5);
    emit({set(7, 4, kHash)});
    // A fetch that failed: back to who jumped there.
    emit(
        {csrr(6, mcause), addi(5, 6, -1), beq(5, 0, 12), addi(5, 6, -12), bne(5, 0, 12), addi(6, 1, 0), jal(0, 4 * 9)});
    // Behind the instruction: 4 bytes if its two lowest bits are set, else 2.
    emit({csrr(6, mepc), i(0, 6, 5, 5, 0x03), i(3, 5, 7, 5, 0x13), addi(5, 5, -3), i(1, 5, 3, 5, 0x13), slli(5, 5, 1),
          addi(6, 6, 2), add(6, 6, 5)});
    emit({csrw(mepc, 6), get(5, 4, kSaved5), get(6, 4, kSaved6), get(7, 4, kSaved7), csrrw(4, mscratch, 4), kMret});
  }

  void end_of_piece() {
    end_ = code_.size();
    for (unsigned reg = 1; reg < 32; ++reg) {
      if (reg == 4) {
        emit({csrr(5, mscratch)});
        mix(5);
      } else if (reg >= 5 && reg <= 7) {
        emit({get(5, 4, kSaved5 + static_cast<int>(reg) - 5)});
        mix(5);
      } else {
        mix(reg);
      }
    }
    emit({get(5, 4, kNextResult), store_x(program_.xlen, 7, 5, 0), addi(5, 5, word_), set(5, 4, kNextResult),
          set(0, 4, kHash)});
  }

  void next_piece() {
    code_[to_next_] = jal(0, static_cast<int>(4 * (code_.size() - to_next_)));
    emit({get(5, 4, kRemaining)});
    to_dump_ = code_.size();
    emit({0, addi(5, 5, -1), set(5, 4, kRemaining), get(5, 4, kNextPiece), csrw(mepc, 5)});
    emit({addi(6, 0, static_cast<int>(piece_bytes_)), add(5, 5, 6), set(5, 4, kNextPiece)});
    emit({get(5, 4, kTable), addi(6, 5, 32 * word_), get(7, 4, kLastTable), bne(6, 7, 8), get(6, 4, kFirstTable),
          set(6, 4, kTable)});
    emit({csrw(mscratch, 4)});
    for (unsigned reg = 1; reg < 32; ++reg)
      if (reg != 5) emit({load_x(program_.xlen, reg, 5, static_cast<int>(reg) * word_)});
    emit({load_x(program_.xlen, 5, 5, 5 * word_), kMret});
  }

  /// The hash of the data memory, then all results to the serial port, then the finisher.
  void dump() {
    code_[to_dump_] = beq(5, 0, static_cast<int>(4 * (code_.size() - to_dump_)));
    emit({addi(7, 0, 0)});
    mix_memory(ReferenceProgram::kScratch, ReferenceProgram::kScratchSize);
    if (!program_.world.empty()) mix_memory(ReferenceProgram::kWorld, program_.world.size());
    emit({get(5, 4, kNextResult), store_x(program_.xlen, 7, 5, 0), addi(9, 5, word_)});
    load_address(8, kResults);
    emit({lui(6, TestMachine::kUart >> 12), lbu(5, 8, 0), sb(5, 6, 0), addi(8, 8, 1), bne(8, 9, -12)});
    emit({lui(6, TestMachine::kFinisher >> 12), lui(5, 5), addi(5, 5, 0x555), sw(5, 6, 0), jal(0, 0)});
  }

  void mix_memory(std::uint64_t first, std::uint64_t size) {
    load_address(8, first);
    load_address(9, first + size);
    emit({load_x(program_.xlen, 5, 8, 0)});
    mix(5);
    emit({addi(8, 8, word_), bne(8, 9, -20)});
  }

  void patch(const std::vector<std::size_t>& places) {
    for (std::size_t place : places) code_[place] = beq(6, 0, static_cast<int>(4 * (end_ - place)));
  }

  const ReferenceProgram& program_;
  const int word_;
  const unsigned piece_bytes_;
  std::vector<std::uint32_t> code_;
  std::vector<std::size_t> to_end_;
  Label to_next_ = 0, to_dump_ = 0, end_ = 0;
};

unsigned piece_bytes(const ReferenceProgram& program) {
  std::size_t most = 0;
  for (const auto& piece : program.pieces) most = std::max(most, piece.size());
  return static_cast<unsigned>((2 * most + 4 + 7) / 8 * 8);  // an ecall behind the longest
}

std::string text(const ReferenceProgram::Code& code) {
  std::ostringstream out;
  for (std::uint16_t half : code) out << std::hex << std::setw(4) << std::setfill('0') << half << ' ';
  return out.str();
}

std::vector<std::uint64_t> parse(const ReferenceProgram& program, const std::string& bytes) {
  const std::size_t word = program.xlen / 8;
  if (bytes.size() != word * program.results())
    throw std::runtime_error("expected " + std::to_string(word * program.results()) + " bytes of results, got " +
                             std::to_string(bytes.size()));
  std::vector<std::uint64_t> results(program.results(), 0);
  for (std::size_t i = 0; i < results.size(); ++i) std::memcpy(&results[i], bytes.data() + i * word, word);
  return results;
}

}  // namespace

std::vector<std::uint8_t> ReferenceProgram::image() const {
  std::vector<std::uint8_t> bytes(kImageSize, 0);
  const auto put = [&bytes](std::uint64_t address, const void* data, std::size_t size) {
    if (address - kBase + size > bytes.size()) throw std::logic_error("the reference program is too large");
    const auto* const first = static_cast<const std::uint8_t*>(data);
    std::copy(first, first + size, bytes.data() + (address - kBase));
  };
  const unsigned stride = piece_bytes(*this);
  const std::size_t word = xlen / 8;
  const std::vector<std::uint32_t> frame = Frame(*this, stride).code();
  put(kBase, frame.data(), 4 * frame.size());
  std::uint64_t variables[10] = {};
  variables[kNextPiece] = kPieces;
  variables[kRemaining] = pieces.size();
  variables[kNextResult] = kResults;
  variables[kFirstTable] = variables[kTable] = kTables;
  variables[kLastTable] = kTables + registers.size() * 32 * word;
  for (std::size_t i = 0; i < 10; ++i) put(kBlock + i * word, &variables[i], word);
  for (std::size_t i = 0; i < setup.size(); ++i) put(kBlock + (kSetup + i) * word, &setup[i].second, word);
  put(kWorld, world.data(), world.size());
  for (std::size_t t = 0; t < registers.size(); ++t)
    for (std::size_t i = 0; i < 32; ++i) put(kTables + (32 * t + i) * word, &registers[t][i], word);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    Code code = pieces[p];
    code.insert(code.end(), {static_cast<std::uint16_t>(kEcall), static_cast<std::uint16_t>(kEcall >> 16)});
    put(kPieces + p * stride, code.data(), 2 * code.size());
  }
  put(kOperands, operands.data(), 8 * operands.size());
  for (std::uint64_t at = 0; at < kScratchSize; at += 4) {
    const std::uint32_t value = static_cast<std::uint32_t>(at * 0x9e3779b1u + 0x12345);
    put(kScratch + at, &value, 4);
  }
  return bytes;
}

std::optional<std::vector<std::uint64_t>> run_on_qemu(const ReferenceProgram& program) {
  const std::string qemu = "qemu-system-riscv" + std::to_string(program.xlen);
  if (std::system(("command -v " + qemu + " >/dev/null 2>&1").c_str()) != 0) return std::nullopt;
  const auto folder = std::filesystem::temp_directory_path() / ("cpu_reference_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto image_file = folder / "image.bin", output_file = folder / "output.bin";
  const auto bytes = program.image();
  std::ofstream(image_file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const std::string command =
      "timeout 120 " + qemu + " -M virt -m 64M -bios none -display none -monitor none -cpu rv" +
      std::to_string(program.xlen) + ",zba=false,zbb=false,zbc=false,zbs=false,h=false,s=true," +
      (program.floating ? "" : "f=false,d=false,") + "sstc=false,mmu=true -serial file:" + output_file.string() +
      " -device loader,file=" + image_file.string() + ",addr=0x80000000";
  const int status = std::system(command.c_str());
  std::ifstream file(output_file, std::ios::binary);
  const std::string output((std::istreambuf_iterator<char>(file)), {});
  std::filesystem::remove_all(folder);
  if (status != 0) throw std::runtime_error("QEMU failed: " + command);
  return parse(program, output);
}

std::vector<std::uint64_t> run_on_hart(const ReferenceProgram& program, const CpuConfig& way) {
  CpuConfig config = way;
  config.isa = program.xlen == 32 ? (program.floating ? Isa::kRv32gc : Isa::kRv32imac)
                                  : (program.floating ? Isa::kRv64gc : Isa::kRv64imac);
  TestMachine machine(config);
  const auto bytes = program.image();
  machine.put(kBase, bytes.data(), bytes.size());
  const Stop stop = machine.run_to_end(100'000'000'000'000);
  if (!machine.finished)
    throw std::runtime_error("our hart stopped (" + std::to_string(static_cast<int>(stop)) + ") at pc " +
                             std::to_string(machine.core->pc()) + ", cause " +
                             std::to_string(machine.core->last_trap().cause));
  return parse(program, machine.output);
}

void expect_equal_runs(const ReferenceProgram& program, const std::vector<CpuConfig>& ways) {
  const auto expected = run_on_qemu(program);
  if (!expected) GTEST_SKIP() << "qemu-system-riscv" << program.xlen << " is not installed (package qemu-system-misc)";
  for (const CpuConfig& way : ways) {
    const auto actual = run_on_hart(program, way);
    unsigned shown = 0;
    for (std::size_t i = 0; i < program.results() && shown < 20; ++i) {
      if (actual[i] == (*expected)[i]) continue;
      ++shown;
      ADD_FAILURE() << "cpu.jit number " << static_cast<int>(way.jit) << ", "
                    << (i < program.pieces.size() ? "piece " + std::to_string(i) + ": " + text(program.pieces[i])
                                                  : "data memory");
    }
  }
}

}  // namespace vp::cpu
