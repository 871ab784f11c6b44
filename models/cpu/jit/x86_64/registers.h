#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstdint>

#include "models/cpu/state.h"

namespace vp::cpu::x86_64 {

/// Where generated code keeps what. The guest's registers that compilers use most are in registers of the host in all
/// generated code, so nothing is moved between blocks; the others stay in State::x.
struct Registers {
  // rax, rcx, rdx: of one instruction.
  static constexpr int kState = Xbyak::Operand::RBP;   ///< State::x, kBias bytes behind its start
  static constexpr int kReads = Xbyak::Operand::R14;   ///< NativeFrame::reads
  static constexpr int kBudget = Xbyak::Operand::R15;  ///< NativeFrame::budget
  static constexpr int kCounts = 14;                   ///< xmm: retired, read_traffic
  static constexpr int kWrites = 15;                   ///< xmm: write_traffic
  static constexpr int kBias = 128;                    ///< so that all have displacements of one byte

  struct Pair {
    std::uint8_t guest;
    std::uint8_t host;
  };
  static constexpr std::array<Pair, 9> kKept = {{{15, Xbyak::Operand::RBX},
                                                 {14, Xbyak::Operand::RSI},
                                                 {10, Xbyak::Operand::RDI},
                                                 {11, Xbyak::Operand::R8},
                                                 {12, Xbyak::Operand::R9},
                                                 {13, Xbyak::Operand::R10},
                                                 {2, Xbyak::Operand::R11},
                                                 {8, Xbyak::Operand::R12},
                                                 {17, Xbyak::Operand::R13}}};
  static constexpr int kNone = -1;
  /// The host's register of a guest's, or kNone.
  static constexpr std::array<std::int8_t, kSink + 1> kHost = [] {
    std::array<std::int8_t, kSink + 1> host{};
    for (auto& one : host) one = kNone;
    for (const Pair& pair : kKept) host[pair.guest] = static_cast<std::int8_t>(pair.host);
    return host;
  }();
};

}  // namespace vp::cpu::x86_64
