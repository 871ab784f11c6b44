#pragma once

#include <cstdint>

#include "models/cpu/jit/native_code.h"

namespace vp::cpu::x86_64 {

/// What generated code has been entered with and keeps in no register, close enough for relative addresses. From
/// `calls` downwards the host's stack holds where calls of the guest are to be returned to.
struct Entered {
  NativeFrame* frame;
  Block* const* front;         ///< NativeFrame::front
  NativeJump* jumps;           ///< NativeFrame::jumps
  std::uint64_t calls;         ///< rsp when none is known
  std::uint64_t lowest;        ///< rsp when they are too many
  std::uint32_t reserves;      ///< NativeFrame::reserves
  std::uint32_t reserved;      ///< NativeFrame::reserved
  std::int32_t failures_left;  ///< to foresee a return; then none is foreseen any more

  /// No more than hosts foresee: deeper calls would return to where they do not expect it.
  static constexpr int kMostCalls = 32;
  /// `lowest` when none is foreseen any more: every call is one too many.
  static constexpr int kNoCalls = -1;
  static constexpr int kMostFailures = 64;
};

}  // namespace vp::cpu::x86_64
