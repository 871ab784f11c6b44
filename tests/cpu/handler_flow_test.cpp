#include "models/cpu/handler_flow.h"

#include <gtest/gtest.h>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

constexpr std::uint64_t kFlowBase = TestMachine::kBase;
constexpr std::uint64_t kFlowNote = kFlowBase + 0x2000;
constexpr std::uint64_t kProgramStack = kFlowBase + 0x8000;
constexpr std::uint64_t kHandlerStack = kProgramStack - 64;

/// A program at kFlowBase + 0x100 that an interrupt comes to.
struct Interrupted {
  TestMachine machine;
  HandlerFlow flow{machine};
  static constexpr std::uint64_t kPc = kFlowBase + 0x100;

  /// A handler that learns something and then writes these words.
  std::uint64_t learn_in_handler(std::initializer_list<std::uint64_t> written, std::uint64_t back = kPc) {
    flow.entered(true, kPc, kProgramStack);
    const std::uint64_t number = flow.learn();
    for (const std::uint64_t address : written) flow.accessed(true, address, 4, kHandlerStack);
    flow.left(back);
    return number;
  }
};

TEST(HandlerFlow, what_the_program_learns_itself_needs_no_telling) {
  Interrupted one;
  EXPECT_EQ(one.flow.learn(), 0u);
  one.flow.entered(false, Interrupted::kPc, kProgramStack);
  EXPECT_EQ(one.flow.learn(), 0u) << "an exception is the program's own doing";
  EXPECT_FALSE(one.flow.watches());
}

TEST(HandlerFlow, the_program_is_told_when_it_loads_what_the_handler_has_stored) {
  Interrupted one;
  const std::uint64_t number = one.learn_in_handler({kFlowNote});
  EXPECT_FALSE(one.flow.told(number));
  one.flow.accessed(false, kFlowNote + 4, 4, kHandlerStack);
  one.flow.accessed(true, kFlowNote, 4, kHandlerStack);
  EXPECT_FALSE(one.flow.told(number)) << "another word, and a store";
  one.flow.accessed(false, kFlowNote + 3, 1, kHandlerStack);
  EXPECT_TRUE(one.flow.told(number));
  EXPECT_FALSE(one.flow.watches());
}

TEST(HandlerFlow, what_was_stored_before_it_was_learnt_tells_nothing) {
  Interrupted one;
  one.flow.entered(true, Interrupted::kPc, kProgramStack);
  EXPECT_FALSE(one.flow.wants(true, kFlowNote, 4));
  const std::uint64_t number = one.flow.learn();
  EXPECT_TRUE(one.flow.take_changed());
  EXPECT_TRUE(one.flow.wants(true, kFlowNote, 4));
  EXPECT_TRUE(one.flow.in_handler());
  one.flow.left(Interrupted::kPc);
  EXPECT_FALSE(one.flow.in_handler());
  EXPECT_FALSE(one.flow.watches());
  EXPECT_FALSE(one.flow.told(number));
}

TEST(HandlerFlow, registers_that_the_handler_keeps_on_the_stack_tell_nothing) {
  Interrupted one;
  const std::uint64_t number = one.learn_in_handler({kProgramStack - 64, kProgramStack - 4});
  one.flow.accessed(false, kProgramStack - 64, 8, kProgramStack);
  EXPECT_FALSE(one.flow.told(number));
}

TEST(HandlerFlow, a_handler_that_returns_elsewhere_tells_by_that) {
  Interrupted one;
  EXPECT_TRUE(one.flow.told(one.learn_in_handler({}, Interrupted::kPc + 64)));
}

TEST(HandlerFlow, a_program_that_waited_in_wfi_is_told_by_going_on) {
  Interrupted one;
  one.machine.put32(Interrupted::kPc - 4, {encode::kWfi});
  EXPECT_TRUE(one.flow.told(one.learn_in_handler({})));
}

TEST(HandlerFlow, a_handler_that_writes_much_is_an_operating_systems) {
  Interrupted one;
  one.flow.entered(true, Interrupted::kPc, kProgramStack);
  const std::uint64_t number = one.flow.learn();
  for (unsigned i = 0; i < 64; ++i) one.flow.accessed(true, kFlowNote + 8 * i, 8, kHandlerStack);
  one.flow.left(Interrupted::kPc);
  EXPECT_TRUE(one.flow.told(number));
}

TEST(HandlerFlow, traps_inside_the_handler_belong_to_it) {
  Interrupted one;
  one.flow.entered(true, Interrupted::kPc, kProgramStack);
  one.flow.entered(false, kFlowBase, kProgramStack);
  const std::uint64_t number = one.flow.learn();
  one.flow.left(kFlowBase);
  EXPECT_TRUE(one.flow.in_handler());
  one.flow.accessed(true, kFlowNote, 4, kHandlerStack);
  one.flow.left(Interrupted::kPc);
  one.flow.accessed(false, kFlowNote, 4, kHandlerStack);
  EXPECT_TRUE(one.flow.told(number));
}

TEST(HandlerFlow, a_note_of_one_handler_tells_of_all_before_it) {
  Interrupted one;
  const std::uint64_t first = one.learn_in_handler({kFlowNote});
  const std::uint64_t second = one.learn_in_handler({kFlowNote});
  EXPECT_FALSE(one.flow.told(first));
  one.flow.accessed(false, kFlowNote, 4, kHandlerStack);
  EXPECT_TRUE(one.flow.told(first));
  EXPECT_TRUE(one.flow.told(second));
}

TEST(HandlerFlow, its_state_is_saved) {
  Interrupted one, other;
  const std::uint64_t number = one.learn_in_handler({kFlowNote});
  Archive saved;
  saved("flow", one.flow);
  const std::string state = saved.finish();
  Archive loading(Archive::Use::load, state);
  loading("flow", other.flow);
  EXPECT_FALSE(other.flow.told(number));
  other.flow.accessed(false, kFlowNote, 4, kHandlerStack);
  EXPECT_TRUE(other.flow.told(number));
}

}  // namespace
}  // namespace vp::cpu
