#include "platform/run/test_host.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

#include "models/common/error.h"
#include "models/common/tlm_time.h"

namespace vp {

namespace {

constexpr Picoseconds kPeriod = 1'000'000;

// A word for the host: device and command above 48 bits of payload.
constexpr unsigned kConsoleDevice = 1, kPutCharacter = 1;
constexpr std::uint64_t kPayload = (std::uint64_t{1} << 48) - 1;

// System calls of the benchmarks' newlib: number, then three arguments; the first is overwritten by the result.
constexpr std::uint64_t kWrite = 64, kExit = 93;

std::uint8_t* host_memory(const Board& board, std::uint64_t address, std::uint64_t size) {
  for (const auto& [part, memory] : board.roles().all<LoadableMemory>())
    if (address >= memory->base() && address - memory->base() < memory->size() &&
        size <= memory->size() - (address - memory->base()))
      return memory->data() + (address - memory->base());
  return nullptr;
}

}  // namespace

TestHost::TestHost(sc_core::sc_module_name module_name, Board& board, const StopRequest& stop,
                   std::function<void(unsigned)> on_end)
    : sc_module(module_name), board_(board), out_(STDOUT_FILENO, &stop), on_end_(std::move(on_end)) {
  SC_HAS_PROCESS(TestHost);
  SC_METHOD(look);
  sensitive << look_;
  dont_initialize();
}

void TestHost::attach(const ElfProgram& program) {
  const auto to_host = program.symbols.range("tohost");
  if (!to_host || !memory_at(to_host->first, 8)) return;
  to_host_ = to_host->first;
  in_halves_ = program.xlen == 32;
  if (const auto from_host = program.symbols.range("fromhost"); from_host && memory_at(from_host->first, 8))
    from_host_ = from_host->first;
  board_.liveness().on_revival([this] { look_.notify(to_sc_time(kPeriod)); });
  look_.notify(to_sc_time(kPeriod));
}

void TestHost::look() {
  if (board_.liveness().anyone()) look_.notify(to_sc_time(kPeriod));
  const std::uint64_t value = read_word(to_host_);
  const bool whole = !in_halves_ || value == std::exchange(last_seen_, value);
  if (value != 0 && whole) answer(value);
}

void TestHost::answer(std::uint64_t value) {
  if ((value & 1) != 0 && value >> 48 == 0) return on_end_(static_cast<unsigned>(value >> 1 & 0xFFFF'FFFF));
  write_word(to_host_, 0);
  const auto device = static_cast<unsigned>(value >> 56), command = static_cast<unsigned>(value >> 48 & 0xFF);
  if (device == kConsoleDevice && command == kPutCharacter) {
    const auto character = static_cast<char>(value);
    out_.write(&character, 1);
  } else if (device == 0 && memory_at(value & kPayload, 64)) {
    call(value & kPayload);
  }
  if (from_host_) write_word(*from_host_, 1);
}

void TestHost::call(std::uint64_t block) {
  const std::uint64_t number = read_word(block);
  if (number == kExit) return on_end_(static_cast<unsigned>(read_word(block + 8)));
  std::uint64_t result = ~std::uint64_t{0} - 37;  // ENOSYS
  if (number == kWrite) {
    const std::uint64_t size = read_word(block + 24);
    const std::uint8_t* const text = memory_at(read_word(block + 16), size);
    if (text) out_.write(reinterpret_cast<const char*>(text), size);
    result = text ? size : ~std::uint64_t{0} - 13;  // EFAULT
  }
  write_word(block, result);
}

std::uint8_t* TestHost::memory_at(std::uint64_t address, std::uint64_t size) {
  return host_memory(board_, address, size);
}

std::uint64_t TestHost::read_word(std::uint64_t address) {
  std::uint64_t value = 0;
  std::memcpy(&value, memory_at(address, sizeof value), sizeof value);
  return value;
}

void TestHost::write_word(std::uint64_t address, std::uint64_t value) {
  std::memcpy(memory_at(address, sizeof value), &value, sizeof value);
}

std::string signature(const Board& board, const ElfProgram& program) {
  const auto begin = program.symbols.range("begin_signature"), end = program.symbols.range("end_signature");
  if (!begin || !end || end->first < begin->first)
    throw UserError("--signature: the program has no symbols begin_signature and end_signature");
  const std::uint64_t size = (end->first - begin->first) / 4 * 4;
  const std::uint8_t* const bytes = host_memory(board, begin->first, size);
  if (!bytes) throw UserError("--signature: begin_signature to end_signature is not in memory");
  std::string text;
  for (std::uint64_t at = 0; at < size; at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes + at, sizeof word);
    std::array<char, 12> line{};
    std::snprintf(line.data(), line.size(), "%08x\n", word);
    text += line.data();
  }
  return text;
}

}  // namespace vp
