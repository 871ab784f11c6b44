// Foreign approximately-timed models side by side with ours on one bus.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>

#include "models/bus/bus.h"
#include "models/common/at_initiator_adapter.h"
#include "models/common/at_target_adapter.h"
#include "models/memory/memory.h"
#include "tests/support/at_models.h"
#include "tests/support/scripted_master.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

constexpr std::uint64_t kNear = 0x10000, kForeign = 0x20000;
constexpr unsigned kCount = 12;

using Way = std::tuple<Fidelity, AtInitiator::Ends, AtTarget::Answers>;

/// A foreign initiator that writes to our memory and one that writes to a foreign target, our overlapping master on
/// both, and a blocking one.
class SideBySide : public testing::TestWithParam<Way> {
 public:
  SideBySide() {
    bus.connect_initiator("cpu", cpu_module.socket);
    bus.connect_initiator("dma", dma.port);
    bus.connect_initiator("near", near_adapter.socket);
    bus.connect_initiator("far", far_adapter.socket);
    near.socket.bind(near_adapter.from);
    far.socket.bind(far_adapter.from);
    bus.connect_target("ram", ram.socket);
    bus.connect_target("foreign", target_adapter.socket, &target_adapter);
    target_adapter.to.bind(target.socket);
    bus.set_fidelity(std::get<0>(GetParam()));
    ram.set_fidelity(std::get<0>(GetParam()));
  }
  static MemoryConfig memory() {
    MemoryConfig config;
    config.size = 0x1000;
    return config;
  }
  BusConfig config;
  Horizon horizon;
  Bus bus{"bus",
          config,
          horizon,
          {"cpu", "dma", "near", "far"},
          {{"ram", kNear, 0x1000, true}, {"foreign", kForeign, 0x1000, true}}};
  Memory ram{"ram", memory(), 10'000};
  InitiatorModule cpu_module{"cpu"};
  ScriptedMaster dma{"dma"};
  AtInitiatorAdapter near_adapter{"near_adapter", 4}, far_adapter{"far_adapter", 16};
  AtInitiator near{"near", std::get<1>(GetParam()), kCount, kNear, true, 10'000};
  AtInitiator far{"far", std::get<1>(GetParam()), kCount, kForeign, true, 10'000};
  AtTarget target{"target", std::get<2>(GetParam()), 200'000};
  AtTargetAdapter target_adapter{"target_adapter"};
  std::uint8_t data[0x400] = {};
};

TEST_P(SideBySide, all_have_several_under_way_and_every_byte_arrives) {
  for (unsigned i = 0; i < 4; ++i) dma.port.read(kForeign + 0x800 + 64 * i, data + 64 * i, 64, i);
  std::memset(target.bytes.data() + 0x800, 0x77, 0x100);
  simulate([&] {
    Picoseconds now = 0;
    std::uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
    for (const std::uint64_t base : {kNear, kForeign}) {
      EXPECT_EQ(cpu_module.socket.write(base + 0xF00, bytes, 8, now), AccessResult::ok);
      EXPECT_EQ(cpu_module.socket.read(base + 0xF00, back, 8, now), AccessResult::ok);
      EXPECT_EQ(std::memcmp(bytes, back, 8), 0);
      std::memset(back, 0, 8);
    }
    sc_core::wait(100, sc_core::SC_US);
  });
  for (AtInitiator* const initiator : {&near, &far}) {
    ASSERT_EQ(initiator->completions.size(), kCount);
    for (const auto status : initiator->statuses) EXPECT_EQ(status, tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(std::is_sorted(initiator->completions.begin(), initiator->completions.end()));
    EXPECT_GT(initiator->most_under_way, 2u);
  }
  EXPECT_LE(near.most_under_way, 5u) << "four, and one whose request has not ended";
  for (unsigned i = 0; i < kCount; ++i) {
    EXPECT_EQ(ram.data()[64 * i + 63], i + 1);
    EXPECT_EQ(target.bytes[64 * i + 63], i + 1);
  }
  ASSERT_EQ(dma.completions.size(), 4u);
  EXPECT_EQ(data[255], 0x77);
  EXPECT_EQ(target.arrivals.size(), kCount + 4u + 2);
  if (std::get<2>(GetParam()) == AtTarget::Answers::accepted) {
    EXPECT_GT(target.most_under_way, 2u);
  }
  EXPECT_EQ(bus.traffic("near", "ram").writes, kCount);
  EXPECT_EQ(bus.broken_conservation(), "");
}

std::string name_of_way(const testing::TestParamInfo<Way>& info) {
  const char* const ends[] = {"completed", "updated", "later"};
  const char* const answers[] = {"completed", "response", "request_ended", "accepted", "skips_end"};
  return std::string(std::get<0>(info.param) == Fidelity::timed ? "timed_" : "functional_") +
         ends[static_cast<int>(std::get<1>(info.param))] + "_" + answers[static_cast<int>(std::get<2>(info.param))];
}
INSTANTIATE_TEST_SUITE_P(Ways, SideBySide,
                         testing::Combine(testing::Values(Fidelity::functional, Fidelity::timed),
                                          testing::Values(AtInitiator::Ends::completed, AtInitiator::Ends::updated,
                                                          AtInitiator::Ends::later),
                                          testing::Values(AtTarget::Answers::completed, AtTarget::Answers::response,
                                                          AtTarget::Answers::request_ended, AtTarget::Answers::accepted,
                                                          AtTarget::Answers::skips_end)),
                         name_of_way);

}  // namespace
}  // namespace vp
