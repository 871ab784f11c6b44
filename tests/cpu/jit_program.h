#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/cpu/jit/native_code.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {

inline constexpr std::uint32_t kStay = encode::jal(0, 0);

/// Programs of which generated code is to show nothing that their interpretation does not, for both widths.
class JitProgram : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr std::size_t kMemory = std::size_t{128} << 10;
  static constexpr unsigned kPrologue = 2;  ///< instructions
  static constexpr unsigned kLinked = 2;    ///< times after which code is generated with links that are known
  using Prepare = std::function<void(TestMachine&)>;

  void SetUp() override {
    if (!NativeCode::available()) GTEST_SKIP() << "this host has no code generator";
  }
  static unsigned xlen() { return GetParam(); }

  /// A machine that has had a page of memory granted to write to (s1), and is at the start of this program.
  static std::unique_ptr<TestMachine> machine_with(Jit jit, const std::vector<std::uint32_t>& program,
                                                   const Prepare& prepare,
                                                   std::function<void(NativeFrame&)> seen_frames = {},
                                                   unsigned after = 0) {
    CpuConfig config = config_of(xlen());
    config.jit = jit;
    config.jit_flaw = std::move(seen_frames);
    config.jit_after = after;
    auto machine = std::make_unique<TestMachine>(config, kMemory);
    machine->put32(kBase, {encode::auipc(encode::s1, 1), encode::sw(0, encode::s1, 0)});
    machine->put(kBase + 4 * kPrologue, program.data(), 4 * program.size());
    if (prepare) prepare(*machine);
    return machine;
  }
  static std::string seen(const TestMachine& machine) {
    const Core& core = *machine.core;
    std::string text = "pc " + std::to_string(core.pc() - kBase) + " time " + std::to_string(core.time()) +
                       " retired " + std::to_string(core.retired()) + '\n';
    for (unsigned i = 1; i < 32; ++i) text += 'x' + std::to_string(i) + ' ' + std::to_string(core.x(i)) + '\n';
    for (const DirectTraffic& region : core.direct_traffic())
      text += std::to_string(region.reads) + ' ' + std::to_string(region.read_bytes) + ' ' +
              std::to_string(region.writes) + ' ' + std::to_string(region.written_bytes) + '\n';
    return text + std::to_string(machine.csr(encode::mepc)) + ' ' + std::to_string(machine.csr(encode::mcause));
  }
  /// Runs it for so many instructions, interpreted and as generated code, in one go and in pieces of several lengths,
  /// from code that is generated at once, and from that of blocks which have led to each other before. The registers at
  /// the end.
  static std::vector<std::uint64_t> run(const std::vector<std::uint32_t>& program, std::uint64_t instructions,
                                        const Prepare& prepare = {}) {
    const auto interpreted = machine_with(Jit::off, program, prepare);
    run_to(*interpreted, instructions);
    for (const std::uint64_t piece : {instructions, std::uint64_t{1000}, std::uint64_t{61}, std::uint64_t{7}}) {
      if (instructions / piece > 5000) break;
      for (const unsigned after : {0u, kLinked}) {
        const auto generated = machine_with(Jit::on, program, prepare, {}, after);
        std::uint64_t at = 0;
        for (; at < instructions; at += piece) run_to(*generated, std::min(at + piece, instructions));
        EXPECT_EQ(seen(*generated), seen(*interpreted)) << "in pieces of " << piece << " after " << after;
      }
    }
    std::vector<std::uint64_t> registers;
    for (unsigned i = 0; i < 32; ++i) registers.push_back(interpreted->core->x(i));
    return registers;
  }
  /// How often generated code of linked blocks is left.
  static unsigned left(const std::vector<std::uint32_t>& program, std::uint64_t instructions) {
    unsigned left = 0;
    const auto machine = machine_with(
        Jit::on, program, {}, [&](NativeFrame&) { ++left; }, kLinked);
    run_to(*machine, instructions);
    return left;
  }
  /// How often generated code is left in the midst of a block.
  static unsigned left_inside(const std::vector<std::uint32_t>& program, std::uint64_t instructions,
                              const Prepare& prepare = {}) {
    unsigned left = 0;
    const auto count = [&](NativeFrame& frame) { left += frame.left == NativeFrame::Left::inside; };
    const auto machine = machine_with(Jit::on, program, prepare, count);
    run_to(*machine, instructions);
    return left;
  }
  static void run_to(TestMachine& machine, std::uint64_t instructions) {
    machine.core->set_instruction_limit(instructions);
    ASSERT_EQ(machine.run_to_end(), Stop::kInstructionLimit);
  }
};

}  // namespace vp::cpu
