#pragma once

#include <cstdint>
#include <vector>

#include "models/matmul/core_config.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// First byte of a host command, bits 7:6.
enum class Command : std::uint8_t { none = 0, store_instruction = 1, store_block = 2, update = 3 };
inline constexpr unsigned kCommandShift = 6;
/// Bits of an UPDATE command.
inline constexpr std::uint8_t kStart0 = 1, kEnable0 = 2, kStart1 = 4, kEnable1 = 8;

/// Decodes the host's bytes (README, line). There is no escape and no time-out: after a lost byte the decoder takes
/// commands for data until reset.
class Loader {
 public:
  /// What a byte completed.
  struct Action {
    Command command = Command::none;
    std::uint8_t update = 0;    ///< of UPDATE: the byte
    std::uint32_t address = 0;  ///< of the stores, as sent
    std::uint32_t word = 0;     ///< of an instruction store
    void persist(Archive& archive);
  };

  explicit Loader(const CoreConfig& config) : block_(config.block_words(), 0) {}

  void reset() { state_ = State::command; }
  Action take(std::uint8_t byte);
  /// The words of the block store just completed, row-major.
  const std::vector<std::uint32_t>& block() const { return block_; }
  /// Waits for the first byte of a command.
  bool between_commands() const { return state_ == State::command; }
  void persist(Archive& archive);

 private:
  enum class State { command, address, data };

  State state_ = State::command;
  Command command_ = Command::none;
  unsigned received_ = 0;
  std::uint32_t address_ = 0;
  std::uint32_t word_ = 0;
  std::vector<std::uint32_t> block_;
};

}  // namespace vp::matmul
