#pragma once

#include <cstdint>

#include "models/cpu/block_cache.h"
#include "models/cpu/float/format.h"
#include "models/cpu/state.h"

namespace vp::cpu {

/// Executes the instructions of F and D between registers: every one, with every rounding mode, by integer arithmetic
/// (models/cpu/float). Loads and stores are the LoadStoreUnit's.
template <typename Word>
class FloatUnit {
 public:
  explicit FloatUnit(State<Word>& state) : s_(state) {}

  /// FS is on. False: the rounding mode is a reserved one, so the instruction is illegal and nothing is done.
  bool execute(const Op& op, Opcode opcode);

 private:
  using Environment = ieee754::Environment;

  bool choose_rounding(unsigned field, Environment& environment) const;
  template <typename Bits>
  void execute_as(const Op& op, Opcode single, Environment& environment);
  template <typename Bits>
  Bits to_float(const Op& op, Opcode single, Environment& environment) const;
  template <typename Bits>
  Word to_integer(const Op& op, Opcode single, Environment& environment) const;
  template <typename Bits>
  Bits source(unsigned reg) const;

  State<Word>& s_;
};

}  // namespace vp::cpu
