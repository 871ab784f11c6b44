#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/block_cache.h"
#include "models/cpu/config.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/state.h"

namespace vp::cpu {

/// cpu.jit = check: generated code against the interpreter, block by block. First the interpreter's own operations do
/// the block; what comes of it is remembered and taken back. Then the block's code does it.
template <typename Word>
class BlockCheck {
 public:
  explicit BlockCheck(const CpuConfig& config) : config_(config) {}

  /// From the state before instruction `first` of the block. `frame`: the tables in which its code is going to look for
  /// memory, with these latencies.
  void foresee(const State<Word>& state, Block& block, unsigned first, const NativeMemory& memory,
               const NativeFrame& frame);
  /// The budget with which the block's code comes to its end, and nobody's behind it to its start.
  Picoseconds budget() const { return budget_; }
  /// Where the code has come, with the traffic as far as that. Throws std::logic_error that says which block, what
  /// differs, and both values.
  void compare(const State<Word>& state, const NativeFrame& frame) const;

 private:
  static constexpr unsigned kToItsEnd = ~0u;

  /// Bytes that the block stores.
  struct Stored {
    std::uint8_t* place;
    unsigned size;
    std::uint64_t before;
    std::uint64_t after;
  };
  class Lookup;

  void go_through(State<Word>& s, Block& block, unsigned first, const Lookup& lookup);
  bool instruction(State<Word>& s, const Block& block, unsigned index, const Lookup& lookup, Picoseconds& time);
  bool load_reserved(State<Word>& s, const Op& op, unsigned size, const Lookup& lookup, Picoseconds& time);
  bool store_conditional(State<Word>& s, const Op& op, unsigned size, const Lookup& lookup, Picoseconds& time);
  void note_store(const State<Word>& s, const Op& op, unsigned size, const Lookup& lookup);
  void end(State<Word>& s, const Block& block, unsigned index, Picoseconds latency, const Op& op);
  void same(const char* what, std::uint64_t code, std::uint64_t interpreter) const {
    if (code != interpreter) differs(what, code, interpreter);
  }
  template <typename Values>
  void same_registers(char file, const Values& code, const Values& interpreter) const;
  [[noreturn]] void differs(const std::string& what, std::uint64_t code, std::uint64_t interpreter) const;

  const CpuConfig& config_;
  const Picoseconds clock_ = config_.clock;
  const Block* block_ = nullptr;
  State<Word> after_;
  unsigned inside_ = kToItsEnd;  ///< the instruction before which it is to be left
  bool reserves_ = false;        ///< NativeFrame::reserves
  std::uint32_t reserved_ = 0;   ///< NativeFrame::reserved
  std::uint64_t read_traffic_ = 0, write_traffic_ = 0;
  Picoseconds budget_ = 0;
  std::vector<Stored> stored_;
};

}  // namespace vp::cpu
