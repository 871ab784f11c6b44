#include "models/irq/plic_core.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/register_access.h"

namespace vp {
namespace {

constexpr std::uint64_t kPending = 0x1000, kEnable = 0x2000, kThreshold = 0x20'0000, kClaim = 0x20'0004;

PlicConfig config() {
  PlicConfig c;
  c.contexts = 2;
  c.edge_sources = {1};
  return c;
}

/// Sources 1 (edge) and 2 … 31 (level), all enabled in context 0 with priority 1.
struct PlicCoreTest : testing::Test {
  PlicCoreTest() {
    for (unsigned i = 1; i <= 31; ++i) bus.write(4 * i, 1, 4);
    bus.write(kEnable, ~0u, 4);
  }
  std::uint64_t claim() { return bus.read(kClaim, 4); }
  void complete(unsigned source) { bus.write(kClaim, source, 4); }
  bool interrupts() { return plic.output(0).level(); }

  PlicCore plic{config()};
  RegisterAccess bus{plic};
};

TEST_F(PlicCoreTest, ALevelIsClaimedCompletedAndRequestsAgainWhileItStays) {
  plic.set_input(10, true);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(bus.read(kPending, 4), 1u << 10);
  EXPECT_EQ(claim(), 10u);
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(bus.read(kPending, 4), 0u);
  EXPECT_EQ(claim(), 0u);
  complete(10);
  EXPECT_TRUE(interrupts()) << "the line is still high";
  EXPECT_EQ(claim(), 10u);
  plic.set_input(10, false);
  complete(10);
  EXPECT_FALSE(interrupts());
}

TEST_F(PlicCoreTest, claims_and_completions_are_told_of_if_they_have_an_effect) {
  std::vector<std::string> told;
  plic.on_service([&told](const InterruptService& service) {
    told.push_back((service.kind == InterruptService::Kind::claim ? "claim " : "complete ") +
                   std::to_string(service.source) + " by " + std::to_string(service.context));
  });
  EXPECT_EQ(claim(), 0u);
  plic.set_input(10, true);
  claim();
  complete(9);   // not in service
  complete(99);  // not there
  complete(10);
  bus.write(kEnable + 0x80, 1u << 12, 4);  // of context 1
  plic.set_input(12, true);
  EXPECT_EQ(bus.read(kClaim + 0x1000, 4), 12u);
  EXPECT_EQ(told, (std::vector<std::string>{"claim 10 by 0", "complete 10 by 0", "claim 12 by 1"}));
}

TEST_F(PlicCoreTest, who_asks_is_told_when_the_guest_has_seen_a_request) {
  unsigned seen = 0;
  plic.on_seen(3, [&seen] { ++seen; });
  plic.set_input(3, true);
  plic.set_input(4, true);
  EXPECT_EQ(seen, 0u);
  bus.peek(kPending, 4);
  EXPECT_EQ(seen, 0u) << "a debugger is no guest";
  bus.read(kPending, 4);
  EXPECT_EQ(seen, 1u);
  EXPECT_EQ(claim(), 3u);
  EXPECT_EQ(seen, 2u);
  EXPECT_EQ(claim(), 4u);
  EXPECT_EQ(seen, 2u) << "another source";
}

TEST_F(PlicCoreTest, APendingRequestStaysWhenTheLineFalls) {
  plic.set_input(10, true);
  plic.set_input(10, false);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(claim(), 10u);
  complete(10);
  EXPECT_FALSE(interrupts());
}

TEST_F(PlicCoreTest, AnEdgeRequestsOnceHoweverLongTheLineStaysHigh) {
  plic.set_input(1, true);
  EXPECT_EQ(claim(), 1u);
  complete(1);
  EXPECT_FALSE(interrupts());
  plic.set_input(1, false);
  EXPECT_FALSE(interrupts());
  plic.set_input(1, true);
  EXPECT_TRUE(interrupts());
}

TEST_F(PlicCoreTest, EdgesInServiceAreKeptAsOneFurtherRequest) {
  plic.set_input(1, true);
  EXPECT_EQ(claim(), 1u);
  for (int i = 0; i < 3; ++i) {
    plic.set_input(1, false);
    plic.set_input(1, true);
  }
  EXPECT_FALSE(interrupts());
  complete(1);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(claim(), 1u);
  complete(1);
  EXPECT_FALSE(interrupts());
}

TEST_F(PlicCoreTest, HigherPriorityComesFirstThenTheLowerNumber) {
  bus.write(4 * 20, 7, 4);
  for (unsigned source : {11, 20, 10}) plic.set_input(source, true);
  EXPECT_EQ(bus.peek(kClaim, 4), 20u) << "a debugger looks without claiming";
  EXPECT_EQ(claim(), 20u);
  EXPECT_EQ(claim(), 10u);
  EXPECT_EQ(claim(), 11u);
  EXPECT_EQ(claim(), 0u);
}

TEST_F(PlicCoreTest, ThresholdMasksTheOutputButNotTheClaim) {
  bus.write(kThreshold, 1, 4);
  plic.set_input(10, true);
  EXPECT_FALSE(interrupts());
  bus.write(4 * 10, 2, 4);
  EXPECT_TRUE(interrupts());
  bus.write(kThreshold, 7, 4);
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(claim(), 10u);
}

TEST_F(PlicCoreTest, PriorityZeroNeverInterrupts) {
  bus.write(4 * 10, 0, 4);
  plic.set_input(10, true);
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(claim(), 0u);
  EXPECT_EQ(bus.read(kPending, 4), 1u << 10);
}

TEST_F(PlicCoreTest, what_masks_a_source_is_told_in_words) {
  EXPECT_EQ(plic.masked(10), "");
  bus.write(kThreshold, 1, 4);
  EXPECT_EQ(plic.masked(10), "has priority 1, not above the threshold of 1");
  bus.write(kThreshold, 0, 4);
  plic.set_input(10, true);
  EXPECT_EQ(plic.masked(10), "");
  EXPECT_EQ(claim(), 10u);
  EXPECT_EQ(plic.masked(10), "was claimed and not completed");
  complete(10);
  bus.write(kEnable, 0, 4);
  EXPECT_EQ(plic.masked(10), "is not enabled, and has a request pending");
  EXPECT_EQ(plic.masked(11), "is not enabled");
}

TEST_F(PlicCoreTest, a_source_that_one_context_lets_through_is_not_masked) {
  bus.write(kEnable, 0, 4);
  bus.write(kEnable + 0x80, 1u << 10, 4);
  EXPECT_EQ(plic.masked(10), "") << "supervisor mode alone has enabled it";
  bus.write(kThreshold + 0x1000, 7, 4);
  EXPECT_EQ(plic.masked(10), "has priority 1, not above the threshold of 7");
  bus.write(kEnable, 1u << 10, 4);
  EXPECT_EQ(plic.masked(10), "") << "machine mode would take it";
}

TEST_F(PlicCoreTest, ContextsEnableForThemselves) {
  bus.write(kEnable + 0x80, 1u << 12, 4);
  bus.write(kEnable, 1u << 10, 4);
  plic.set_input(12, true);
  EXPECT_FALSE(interrupts());
  EXPECT_TRUE(plic.output(1).level());
  EXPECT_EQ(bus.read(kClaim + 0x1000, 4), 12u);
  complete(12);  // by context 0, which has not enabled it
  EXPECT_FALSE(plic.output(1).level());
  bus.write(kClaim + 0x1000, 12, 4);
  EXPECT_TRUE(plic.output(1).level());
}

TEST_F(PlicCoreTest, EnablingOrRaisingAPendingSourceInterruptsAtOnce) {
  bus.write(kEnable, 0, 4);
  plic.set_input(10, true);
  EXPECT_FALSE(interrupts());
  bus.write(kEnable, 1u << 10, 4);
  EXPECT_TRUE(interrupts());
}

TEST_F(PlicCoreTest, CompletingWhatIsNotInServiceIsIgnored) {
  plic.set_input(10, true);
  complete(10);
  complete(0);
  complete(5000);
  EXPECT_EQ(bus.result, AccessResult::ok);
  EXPECT_EQ(claim(), 10u);
}

TEST_F(PlicCoreTest, BitsThatDoNotExistReadAsZero) {
  EXPECT_EQ(bus.read(kEnable, 4), 0xFFFF'FFFEu);
  bus.write(4 * 3, ~0u, 4);
  EXPECT_EQ(bus.read(4 * 3, 4), 7u);
  bus.write(kPending, ~0u, 4);
  EXPECT_EQ(bus.result, AccessResult::ok);
  EXPECT_EQ(bus.read(kPending, 4), 0u);
  for (std::uint64_t hole : {0x0ull, 0x80ull, 0x1004ull, 0x2004ull, 0x2100ull, 0x20'2000ull, 0x3FF'FFFCull}) {
    bus.read(hole, 4);
    EXPECT_EQ(bus.result, AccessResult::address_error) << std::hex << hole;
  }
  bus.read(4, 2);
  EXPECT_EQ(bus.result, AccessResult::address_error) << "32-bit accesses only";
}

TEST(PlicSizes, SourcesBeyondOneWordHaveTheirBits) {
  PlicConfig c;
  c.sources = 53;
  PlicCore plic(c);
  RegisterAccess bus(plic);
  bus.write(kEnable + 4, ~0u, 4);
  EXPECT_EQ(bus.read(kEnable + 4, 4), 0x003F'FFFFu);
  bus.write(4 * 53, 1, 4);
  plic.set_input(53, true);
  EXPECT_EQ(bus.read(kPending + 4, 4), 1u << 21);
  EXPECT_TRUE(plic.output(0).level());
  EXPECT_EQ(bus.read(kClaim, 4), 53u);
}

TEST_F(PlicCoreTest, ResetForgetsRequestsButNotLinesThatAreHigh) {
  plic.set_input(10, true);
  plic.set_input(1, true);
  EXPECT_EQ(claim(), 1u);
  plic.reset();
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(bus.read(kPending, 4), 1u << 10);
  EXPECT_EQ(bus.read(kEnable, 4), 0u);
}

TEST_F(PlicCoreTest, StatisticsCountRequestsAndClaims) {
  plic.set_input(10, true);
  claim();
  complete(10);
  const PlicCoreFigures figures = plic.figures();
  ASSERT_EQ(figures.sources.size(), 1u);  // those that have become pending
  EXPECT_EQ(figures.sources[0].first, "source10");
  EXPECT_EQ(figures.sources[0].second.requests, 2u);
  EXPECT_EQ(figures.sources[0].second.claims, 1u);
}

/// Random traffic against the definition, spelled out by source.
TEST_F(PlicCoreTest, RandomTrafficAgreesWithASimpleModel) {
  struct Model {
    bool line = false, pending = false, service = false, kept = false;
    unsigned priority = 1;
  };
  std::map<unsigned, Model> sources;
  for (unsigned i = 1; i <= 31; ++i) sources[i];
  std::uint32_t enable = ~1u;
  unsigned threshold = 0;
  const auto best = [&] {
    unsigned number = 0;
    for (auto& [n, s] : sources)
      if (s.pending && s.priority > 0 && (enable >> n & 1) && (number == 0 || s.priority > sources[number].priority))
        number = n;
    return number;
  };
  std::mt19937 random(8);
  for (int i = 0; i < 100'000; ++i) {
    const unsigned number = 1 + random() % 31;
    Model& s = sources[number];
    switch (random() % 6) {
      case 0:
      case 1: {
        const bool level = random() % 2 != 0;
        const bool edge = number == 1;
        if (edge ? level && !s.line : level) (s.service ? s.kept : s.pending) = true;
        s.line = level;
        plic.set_input(number, level);
        break;
      }
      case 2: {
        const unsigned expected = best();
        ASSERT_EQ(claim(), expected);
        if (expected != 0) sources[expected].pending = false, sources[expected].service = true;
        break;
      }
      case 3:
        complete(number);
        if (s.service && (enable >> number & 1)) {
          s.service = false;
          if (number == 1 ? s.kept : s.line) s.pending = true;
          s.kept = false;
        }
        break;
      case 4:
        s.priority = random() % 8;
        bus.write(4 * number, s.priority, 4);
        break;
      default:
        enable = static_cast<std::uint32_t>(random()) & ~1u;
        threshold = random() % 8;
        bus.write(kEnable, enable, 4);
        bus.write(kThreshold, threshold, 4);
    }
    ASSERT_EQ(interrupts(), best() != 0 && sources[best()].priority > threshold) << i;
  }
}

TEST_F(PlicCoreTest, registers_are_listed_as_arrays) {
  bus.write(4 * 31, 5, 4);
  EXPECT_EQ(plic.registers().find("PRIORITY[31]", 0)->value, 5u);
  EXPECT_FALSE(plic.registers().find("PRIORITY[0]", 0));
  EXPECT_EQ(plic.registers().find("ENABLE0[0]", 0)->value, 0xFFFF'FFFEu);
  plic.set_input(10, true);
  EXPECT_EQ(plic.registers().find("CLAIM[0]", 0)->value, 10u);
  EXPECT_EQ(plic.registers().find("PENDING[0]", 0)->value, 1u << 10) << "looking claims nothing";
  EXPECT_EQ(plic.describe(0x20'1004), "CLAIM[1]");
}

TEST_F(PlicCoreTest, a_source_says_what_has_become_of_it) {
  plic.set_input(10, true);
  EXPECT_TRUE(plic.state(10).line);
  EXPECT_TRUE(plic.state(10).pending);
  EXPECT_EQ(plic.state(10).priority, 1u);
  claim();
  EXPECT_FALSE(plic.state(10).pending);
  EXPECT_TRUE(plic.state(10).in_service);
  plic.set_input(10, false);
  complete(10);
  EXPECT_FALSE(plic.state(10).line);
  EXPECT_FALSE(plic.state(10).in_service);
}

}  // namespace
}  // namespace vp
