// The transport's registers: set-up, reset, and what a driver does in the wrong order.
#include "models/virtio/core.h"

#include "tests/virtio/bench.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(VirtioTransport, names_itself_and_the_device) {
  DiskBench bench;
  EXPECT_EQ(bench.read(MagicValue), 0x74726976u);
  EXPECT_EQ(bench.read(Version), 2u);
  EXPECT_EQ(bench.read(DeviceID), 2u);
  EXPECT_EQ(bench.read(ConfigGeneration), 0u);
  EXPECT_EQ(bench.read(SHMLenLow), ~0u) << "no shared memory";
}

TEST(VirtioTransport, offers_features_by_halves) {
  DiskBench bench;
  bench.write(DeviceFeaturesSel, 0);
  EXPECT_EQ(bench.read(DeviceFeatures), kIndirectDesc | kEventIdx | virtio::Block::kSegmentsMax |
                                            virtio::Block::kBlockSize | virtio::Block::kFlush);
  bench.write(DeviceFeaturesSel, 1);
  EXPECT_EQ(bench.read(DeviceFeatures), 1u) << "VIRTIO_F_VERSION_1";
  bench.write(DeviceFeaturesSel, 2);
  EXPECT_EQ(bench.read(DeviceFeatures), 0u);
}

TEST(VirtioTransport, agrees_only_to_features_that_it_offers_and_to_version_1) {
  DiskBench bench;
  bench.negotiate(kVersion1 | kEventIdx);
  EXPECT_EQ(bench.read(Status), kAcknowledge | kDriver | kFeaturesOk);
  EXPECT_THAT(bench.core.findings(), IsEmpty());
  for (const std::uint64_t bad : {std::uint64_t{0}, std::uint64_t{kEventIdx}, kVersion1 | 1}) {
    bench.negotiate(bad);
    EXPECT_EQ(bench.read(Status), kAcknowledge | kDriver) << bad;
  }
  EXPECT_EQ(bench.first_finding(),
            "FEATURES_OK was refused 3 times: VIRTIO_F_VERSION_1 was missing, or a feature that is not offered was "
            "accepted.");
}

TEST(VirtioTransport, keeps_the_features_once_they_are_agreed_upon) {
  DiskBench bench;
  bench.negotiate(kVersion1);
  bench.write(DriverFeaturesSel, 0);
  bench.write(DriverFeatures, kIndirectDesc);
  EXPECT_EQ(bench.first_finding(), "DriverFeatures was written 1 time after FEATURES_OK: nothing was changed.");
}

TEST(VirtioTransport, takes_accesses_of_4_bytes_and_of_any_width_to_the_devices_own_registers) {
  DiskBench bench(DiskBench::small(3 << 20));
  bench.registers.read(MagicValue, 2);
  EXPECT_EQ(bench.registers.result, AccessResult::address_error);
  bench.registers.write(Status, 1, 1);
  EXPECT_EQ(bench.registers.result, AccessResult::address_error);
  EXPECT_EQ(bench.core.refusal(Status, 1, true), "it is not 4 bytes wide");
  EXPECT_EQ(bench.registers.read(Config, 8), 6144u);
  EXPECT_EQ(bench.registers.read(Config + 1, 1), 24u);
  EXPECT_EQ(bench.registers.read(Config + 12, 4), 254u) << "seg_max";
}

TEST(VirtioTransport, has_the_number_of_queues_of_its_device) {
  DiskBench bench;
  bench.write(QueueSel, 0);
  EXPECT_EQ(bench.read(QueueNumMax), 256u);
  bench.write(QueueSel, 1);
  EXPECT_EQ(bench.read(QueueNumMax), 0u);
  bench.write(QueueReady, 1);
  EXPECT_EQ(bench.read(QueueReady), 0u);
  EXPECT_THAT(bench.first_finding(), HasSubstr("A queue that the device does not have"));
}

TEST(VirtioTransport, shows_a_debugger_where_the_selected_queue_is) {
  DiskBench bench;
  bench.set_up(8);
  EXPECT_EQ(bench.core.registers().find("QueueDriverLow", 0)->value, bench.ring().place.driver);
  EXPECT_EQ(bench.core.registers().find("QueueNum", 0)->value, 8u);
}

TEST(VirtioTransport, ignores_notifications_before_the_driver_is_ready) {
  DiskBench bench;
  bench.set_up(8);
  bench.write(Status, kAcknowledge | kDriver | kFeaturesOk);
  bench.put_header(0, 0);
  bench.ring().offer(0, DiskBench::request(0, 512));
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.ring().used(), 0);
  EXPECT_THAT(bench.core.findings()[0].text, HasSubstr("A queue was notified 1 time before DRIVER_OK"));
  bench.write(Status, kAllOk);
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.ring().used(), 1) << "it is still there";
}

TEST(VirtioTransport, is_as_new_after_a_zero_to_status) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kEventIdx);
  EXPECT_EQ(bench.ask(0, 0, 512), 0);
  EXPECT_EQ(bench.read(InterruptStatus), kUsedBuffer);
  bench.write(Status, 0);
  EXPECT_EQ(bench.read(Status), 0u);
  EXPECT_EQ(bench.read(InterruptStatus), 0u);
  EXPECT_FALSE(bench.lines.level());
  bench.write(QueueSel, 0);
  EXPECT_EQ(bench.read(QueueReady), 0u);
  EXPECT_EQ(bench.core.registers().find("QueueDescLow", 0)->value, 0u);
  EXPECT_EQ(bench.read(Config), 2u << 16) << "64 MiB, the device's own registers stay";
}

TEST(VirtioTransport, lowers_the_interrupt_when_all_causes_are_acknowledged) {
  DiskBench bench;
  bench.set_up(8);
  bench.ask(0, 0, 512);
  ASSERT_EQ(bench.edges.size(), 1u);
  bench.write(InterruptACK, kConfigChange);
  EXPECT_TRUE(bench.lines.level());
  bench.write(InterruptACK, kUsedBuffer);
  EXPECT_FALSE(bench.lines.level());
}

TEST(VirtioTransport, needs_a_reset_when_a_queue_is_moved_while_it_is_ready) {
  for (const unsigned offset :
       {QueueNum + 0u, QueueDescLow + 0u, QueueDescLow + 4u, QueueDriverLow + 0u, QueueDeviceLow + 0u}) {
    DiskBench bench;
    bench.set_up(8);
    bench.write(offset, 16);
    bench.run();
    EXPECT_TRUE(bench.needs_reset()) << offset;
    EXPECT_EQ(bench.read(InterruptStatus), kConfigChange);
    EXPECT_THAT(bench.first_finding(), HasSubstr("was written while QueueReady was 1"));
    bench.set_up(8);
    EXPECT_FALSE(bench.needs_reset());
    EXPECT_EQ(bench.ask(0, 0, 512), 0) << "after a reset it works again";
  }
}

TEST(VirtioTransport, refuses_queues_of_an_impossible_size_or_place) {
  struct Case {
    virtio::QueuePlace place;
    const char* why;
  };
  for (const Case& one : {Case{{0, 0x1000, 0x2000, 0x3000}, "QueueNum is 0, not a power of two of at most 256"},
                          Case{{12, 0x1000, 0x2000, 0x3000}, "QueueNum is 12, not"},
                          Case{{512, 0x1000, 0x2000, 0x3000}, "QueueNum is 512, not"},
                          Case{{8, 0x1008, 0x2000, 0x3000}, "QueueDesc 0x1008 is no multiple of 16"},
                          Case{{8, 0x1000, 0x2001, 0x3000}, "QueueDriver 0x2001 is no multiple of 2"},
                          Case{{8, 0x1000, 0x2000, 0x3002}, "QueueDevice 0x3002 is no multiple of 4"}}) {
    DiskBench bench;
    bench.negotiate(kVersion1);
    bench.place(0, one.place);
    bench.write(QueueReady, 1);
    bench.run();
    EXPECT_TRUE(bench.needs_reset()) << one.why;
    EXPECT_EQ(bench.read(InterruptStatus), 0u) << "before DRIVER_OK nobody is told";
    EXPECT_THAT(bench.first_finding(), HasSubstr(one.why));
  }
}

TEST(VirtioTransport, tells_of_bits_of_status_that_are_taken_back) {
  DiskBench bench;
  bench.negotiate(kVersion1);
  bench.write(Status, kAcknowledge);
  EXPECT_EQ(bench.first_finding(),
            "Bits of Status were cleared 1 time by other than a write of 0, which alone resets the device.");
}

}  // namespace
}  // namespace vp
