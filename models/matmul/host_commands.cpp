#include "models/matmul/host_commands.h"

#include "models/matmul/loader.h"

namespace vp::matmul {
namespace {

void append(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

void append(std::vector<std::uint8_t>& bytes, const std::vector<std::uint8_t>& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

std::vector<std::uint8_t> begin_command(Command command, std::uint32_t address) {
  std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(static_cast<unsigned>(command) << kCommandShift)};
  append(bytes, address);
  return bytes;
}

void append_program(std::vector<std::uint8_t>& bytes, const std::vector<Instruction>& program) {
  std::uint32_t address = 0;
  for (const Instruction& instruction : program) {
    append(bytes, store_instruction_command(address, encode(instruction)));
    address += 4;
  }
}

}  // namespace

std::vector<std::uint8_t> store_block_command(std::uint32_t address, const std::vector<std::int32_t>& words) {
  std::vector<std::uint8_t> bytes = begin_command(Command::store_block, address);
  for (std::int32_t word : words) append(bytes, static_cast<std::uint32_t>(word));
  return bytes;
}

std::vector<std::uint8_t> store_instruction_command(std::uint32_t address, std::uint32_t word) {
  std::vector<std::uint8_t> bytes = begin_command(Command::store_instruction, address);
  append(bytes, word);
  return bytes;
}

std::uint8_t update_command(std::uint8_t bits) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(Command::update) << kCommandShift | bits);
}

std::vector<std::uint8_t> start_commands(const Script& script) {
  std::vector<std::uint8_t> bytes;
  for (const DataBlock& block : script.data) append(bytes, store_block_command(block.address, block.words));
  if (!script.programs.empty()) append_program(bytes, script.programs[0]);
  bytes.push_back(update_command(kEnable0 | kStart0));
  if (script.programs.size() > 1 && !script.programs[1].empty()) {
    append_program(bytes, script.programs[1]);
    bytes.push_back(update_command(kEnable0 | kEnable1 | kStart1));
  }
  return bytes;
}

}  // namespace vp::matmul
