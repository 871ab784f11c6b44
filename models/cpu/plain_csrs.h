#pragma once

#include <optional>

#include "models/cpu/block_cache.h"
#include "models/cpu/config.h"
#include "models/cpu/state.h"

namespace vp::cpu {

/// A CSR that is a value and nothing else: who may access it depends on its number only, reading it changes nothing,
/// and a write, if it is one that may be written so, nothing but the value.
template <typename Word>
struct PlainCsr {
  Word State<Word>::*field = nullptr;  ///< or nullptr: it is a constant
  Word writable = 0;                   ///< bits; the others stay zero. 0: what a write does is more
  Word constant = 0;

  Word read(const State<Word>& state) const { return field ? state.*field : constant; }
};

/// Nothing: it is more than that, or there is none of that number.
template <typename Word>
std::optional<PlainCsr<Word>> plain_csr(const CpuConfig& config, unsigned number);

/// That of an instruction which the mode of its block may execute, and which does not write it, or writes it as a whole
/// if it may be written so. Nothing: it is another instruction.
template <typename Word>
std::optional<PlainCsr<Word>> plain_csr_of(const CpuConfig& config, const Block& block, unsigned instruction);

}  // namespace vp::cpu
