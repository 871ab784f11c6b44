#include "models/finisher/finisher_core.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/register_access.h"

namespace vp {
namespace {

struct FinisherTest : testing::Test {
  FinisherTest() {
    finisher.on_finish([this](const FinishRequest& request) { requests.push_back(request); });
  }
  FinisherCore finisher;
  RegisterAccess bus{finisher};
  std::vector<FinishRequest> requests;
};

TEST_F(FinisherTest, PassFailAndResetAreToldWithCodeAndTime) {
  bus.now = 700;
  bus.write(0, 0x5555, 4);
  bus.write(0, 0x002A'3333, 4);
  bus.write(0, 0x7777, 4);
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].kind, FinishRequest::Kind::pass);
  EXPECT_EQ(requests[0].time, 700u);
  EXPECT_EQ(requests[1].kind, FinishRequest::Kind::fail);
  EXPECT_EQ(requests[1].code, 42u);
  EXPECT_EQ(requests[2].kind, FinishRequest::Kind::reset);
}

TEST_F(FinisherTest, A16BitStoreIsEnough) {
  bus.write(0, 0x5555, 2);
  ASSERT_EQ(requests.size(), 1u);
}

TEST_F(FinisherTest, ARegionOfInterestIsBracketedByOneAndZero) {
  std::vector<Fidelity> seen;
  finisher.on_fidelity([&](Fidelity fidelity) { seen.push_back(fidelity); });
  for (std::uint32_t value : {1u, 1u, 2u, 0u}) bus.write(FinisherCore::kFidelity, value, 4);
  EXPECT_EQ(seen, (std::vector{Fidelity::timed, Fidelity::functional})) << "told of changes only";
  finisher.set_fidelity(Fidelity::timed);
  EXPECT_EQ(bus.read(FinisherCore::kFidelity, 4), 1u);
  EXPECT_TRUE(requests.empty());
}

TEST_F(FinisherTest, RegionTellsEveryWrite) {
  std::vector<std::uint32_t> seen;
  finisher.on_region([&](std::uint32_t name) { seen.push_back(name); });
  for (std::uint32_t value : {0x80001000u, 0x80001000u, 0u}) bus.write(FinisherCore::kRegion, value, 4);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0x80001000u, 0x80001000u, 0u}));
  EXPECT_EQ(bus.read(FinisherCore::kRegion, 4), 0u);
}

TEST_F(FinisherTest, MetricTellsTheValueThatWasWrittenBefore) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
  finisher.on_metric([&](std::uint32_t text, std::uint32_t value) { seen.emplace_back(text, value); });
  bus.write(FinisherCore::kValue, 98, 4);
  EXPECT_TRUE(seen.empty());
  bus.write(FinisherCore::kMetric, 0x80001000, 4);
  bus.write(FinisherCore::kMetric, 0x80002000, 4);
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0x80001000, 98}, {0x80002000, 98}}));
  EXPECT_EQ(bus.read(FinisherCore::kValue, 4), 98u);
  EXPECT_EQ(bus.read(FinisherCore::kMetric, 4), 0u);
}

TEST_F(FinisherTest, OtherValuesDoNothingAndReadsGiveZero) {
  for (std::uint32_t value : {0u, 1u, 0x55550000u, 0x12345u}) bus.write(0, value, 4);
  EXPECT_EQ(bus.read(0, 4), 0u);
  EXPECT_TRUE(requests.empty());
  bus.write(4, 0x5555, 4);
  EXPECT_EQ(bus.result, AccessResult::address_error);
  bus.write(0, 0x55, 1);
  EXPECT_EQ(bus.result, AccessResult::address_error);
  EXPECT_TRUE(requests.empty());
}

}  // namespace
}  // namespace vp
