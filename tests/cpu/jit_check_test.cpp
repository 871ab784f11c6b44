// cpu.jit = check: generated code that is right passes, and whatever it does wrong is found and named.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "models/cpu/jit/native_code.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

class JitCheck : public testing::Test {
 protected:
  using Flaw = std::function<void(NativeFrame&, TestMachine&)>;

  void SetUp() override {
    if (!NativeCode::available()) GTEST_SKIP() << "this host has no code generator";
  }
  /// Sums the numbers to 100 by way of memory, under check; `flaw` is in all generated code. What ends the run.
  std::string run(const Flaw& flaw, unsigned after = 1) {
    TestMachine* spoilt = nullptr;
    CpuConfig config = config_of(64);
    config.jit = Jit::check;
    config.jit_after = after;
    if (flaw) config.jit_flaw = [&](NativeFrame& frame) { flaw(frame, *spoilt); };
    TestMachine machine(config);
    spoilt = &machine;
    machine.put32(kBase, {auipc(s0, 0x10), addi(a1, 0, 100), sd(a1, s0, 0), ld(a2, s0, 0), add(a0, a0, a2),
                          addi(a1, a1, -1), bne(a1, 0, -16), kWfi});
    try {
      machine.run_to_end();
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "the sum is " + std::to_string(machine.core->x(a0));
  }
  void expect_found(const std::string& what, const Flaw& flaw) {
    const std::string found = run(flaw);
    EXPECT_NE(found.find("generated code is wrong: behind the block of "), std::string::npos) << what << ": " << found;
    EXPECT_NE(found.find("at pc 0x800000"), std::string::npos) << found;
    EXPECT_NE(found.find(", " + what + " is 0x"), std::string::npos) << found;
  }
};

TEST_F(JitCheck, code_that_is_right_passes) { EXPECT_EQ(run(nullptr), "the sum is 5050"); }

TEST_F(JitCheck, a_block_that_waits_for_others_to_be_compiled_with_waits_no_longer_than_it_took_to_become_hot) {
  unsigned done = 0;  // not counting what is left inside, and come back into
  const Flaw count = [&](NativeFrame& frame, TestMachine&) { done += frame.left != NativeFrame::Left::inside; };
  EXPECT_EQ(run(count, 20), "the sum is 5050");
  EXPECT_EQ(done, 100u - 2 * 20);
}

TEST_F(JitCheck, a_wrong_register_is_found) {
  expect_found("x10", [](NativeFrame& frame, TestMachine&) { ++static_cast<std::uint64_t*>(frame.x)[a0]; });
}

TEST_F(JitCheck, a_register_that_should_have_kept_its_value_is_found) {
  expect_found("x31", [](NativeFrame& frame, TestMachine&) { static_cast<std::uint64_t*>(frame.x)[t6] = 1; });
}

TEST_F(JitCheck, wrong_bytes_in_memory_are_found) {
  expect_found("memory of 8 bytes", [](NativeFrame&, TestMachine& machine) { machine.memory[0x10007] ^= 0x80; });
}

TEST_F(JitCheck, a_cycle_too_many_is_found) {
  expect_found("the time in ps", [](NativeFrame& frame, TestMachine&) { frame.budget -= kCycle; });
}

TEST_F(JitCheck, an_instruction_that_is_not_counted_is_found) {
  expect_found("the number of instructions", [](NativeFrame& frame, TestMachine&) { --frame.retired; });
}

TEST_F(JitCheck, accesses_that_are_not_counted_are_found) {
  expect_found("the traffic of loads", [](NativeFrame& frame, TestMachine&) { frame.read_traffic += 1; });
  expect_found("the traffic of stores", [](NativeFrame& frame, TestMachine&) { frame.write_traffic += 1; });
}

}  // namespace
}  // namespace vp::cpu
