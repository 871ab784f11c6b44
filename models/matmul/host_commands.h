#pragma once

#include <cstdint>
#include <vector>

#include "models/matmul/script.h"

namespace vp::matmul {

/// The bytes of one host command (README, line).
std::vector<std::uint8_t> store_block_command(std::uint32_t address, const std::vector<std::int32_t>& words);
std::vector<std::uint8_t> store_instruction_command(std::uint32_t address, std::uint32_t word);
/// bits: kStart0, kEnable0, kStart1, kEnable1.
std::uint8_t update_command(std::uint8_t bits);

/// Everything the original's driver sends to run a script, up to and including the start of the last thread: blocks in
/// the order of the script, thread 0's program and its start, thread 1's program (stored while thread 0 runs already)
/// and its start.
std::vector<std::uint8_t> start_commands(const Script& script);

}  // namespace vp::matmul
