#pragma once

#include "models/cpu/block_cache.h"
#include "models/cpu/state.h"

namespace vp::cpu {

/// An instruction of F or D between registers, while mstatus.FS is dirty, as the interpreter does it. For generated
/// code, of what it has no code for, or finds that its own is not right for: rare operands, other rounding modes, an
/// inexact result while that flag has not been raised. False: the rounding mode is a reserved one, nothing is done.
template <typename Word>
using FloatCall = bool (*)(State<Word>& state, const Op& op, Opcode opcode);

/// `by_host`: the host's floating point may be used (ieee754::host::usable()).
template <typename Word>
FloatCall<Word> float_call(bool by_host);

}  // namespace vp::cpu
