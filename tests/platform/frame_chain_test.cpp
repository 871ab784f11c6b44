#include "platform/loader/frame_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

namespace vp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A kernel of three functions, and a stack.
class FrameChain : public testing::Test {
 protected:
  FrameChain() {
    symbols_.add(0x1000, 0x100, 0x2000, "innermost");
    symbols_.add(0x1100, 0x100, 0x2000, "middle");
    symbols_.add(0x1200, 0x100, 0x2000, "outer");
    symbols_.sort();
  }
  /// Of the function whose s0 is `frame`.
  void put_frame(std::uint64_t frame, std::uint64_t return_address, std::uint64_t caller_frame) {
    memory_[frame - 8] = return_address;
    memory_[frame - 16] = caller_frame;
  }
  std::vector<std::uint64_t> chain(std::uint64_t pc, std::uint64_t ra, std::uint64_t s0) {
    const StoppedHart hart{pc, [=](unsigned i) { return i == 1   ? ra
                                                        : i == 8 ? s0
                                                                 : 0; },
                           [this](std::uint64_t address, std::uint64_t& word) {
                             const auto found = memory_.find(address);
                             if (found == memory_.end()) return false;
                             word = found->second;
                             return true;
                           }};
    return frame_chain(hart, symbols_);
  }
  SymbolTable symbols_;
  std::map<std::uint64_t, std::uint64_t> memory_;
};

TEST_F(FrameChain, follows_the_frames_outwards_until_one_has_no_symbol) {
  put_frame(0x8000, 0x1110, 0x8040);
  put_frame(0x8040, 0x1210, 0x8080);
  put_frame(0x8080, 0xdead, 0x80c0);
  EXPECT_THAT(chain(0x1010, 0x1050, 0x8000), ElementsAre(0x1110, 0x1210));
}

TEST_F(FrameChain, of_a_leaf_the_caller_stands_in_ra) {
  memory_[0x8000 - 8] = 0x8040;  // s0 of the caller, and nothing else
  memory_[0x8000 - 16] = 0x77;
  put_frame(0x8040, 0x1210, 0);
  EXPECT_THAT(chain(0x1010, 0x1110, 0x8000), ElementsAre(0x1110, 0x1210));
}

TEST_F(FrameChain, of_a_wild_jump_the_one_who_jumped_comes_first) {
  put_frame(0x8000, 0x1210, 0);
  EXPECT_THAT(chain(0xdead0000, 0x1110, 0x8000), ElementsAre(0x1110, 0x1210));
}

TEST_F(FrameChain, ends_at_what_is_no_frame) {
  put_frame(0x8000, 0x1110, 0x8000);
  EXPECT_THAT(chain(0x1010, 0, 0x8000), ElementsAre(0x1110)) << "a frame of its own";
  put_frame(0x8000, 0x1110, 0x8000 + (1 << 20));
  EXPECT_THAT(chain(0x1010, 0, 0x8000), ElementsAre(0x1110)) << "too far away";
  EXPECT_THAT(chain(0x1010, 0x1110, 0x8003), ElementsAre(0x1110)) << "not aligned: only ra is known";
  EXPECT_THAT(chain(0x1010, 0, 0), IsEmpty());
}

}  // namespace
}  // namespace vp
