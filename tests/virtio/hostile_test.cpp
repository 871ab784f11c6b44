// What no driver should put into a queue: the device gives up with the reason, and works again after a reset.
#include <functional>

#include "tests/virtio/bench.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kHostileTables = 0x6000, kNowhere = 0x4000'0000'0000;

struct Hostile {
  const char* name;
  const char* why;  // in the finding
  std::function<void(DiskBench&, GuestRing&, std::uint64_t table)> put;
};

std::ostream& operator<<(std::ostream& out, const Hostile& one) { return out << one.name; }

using Flag = GuestRing::Flag;

const Hostile kHostile[] = {
    {"loop", "or leads back into itself",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(table, 0, DiskBench::kHeader, 16, Flag::kNext, 1);
       ring.describe(table, 1, DiskBench::kHeader, 16, Flag::kNext, 0);
       ring.offer(0);
     }},
    {"head_beyond_the_table", "the available ring names descriptor 8 of 8",
     [](DiskBench&, GuestRing& ring, std::uint64_t) { ring.offer(8); }},
    {"next_beyond_the_table", "a descriptor's next one is 9 of 8",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(table, 0, DiskBench::kHeader, 16, Flag::kNext, 9);
       ring.offer(0);
     }},
    {"index_that_jumps", "the index of the available ring went from 0 to 9, more than its 8 entries",
     [](DiskBench&, GuestRing& ring, std::uint64_t) { ring.put(ring.place.driver + 2, 9, 2); }},
    {"empty_buffer", "a buffer has no bytes",
     [](DiskBench&, GuestRing& ring, std::uint64_t) {
       ring.offer(0, {{DiskBench::kHeader, 0, false}});
     }},
    {"address_that_wraps", "ends beyond the last address",
     [](DiskBench&, GuestRing& ring, std::uint64_t) {
       ring.offer(0, {{~std::uint64_t{0} - 7, 16, false}, {DiskBench::kStatus, 1, true}});
     }},
    {"wild_header", "a read of 16 bytes at 0x400000000000 failed: nothing answers there",
     [](DiskBench&, GuestRing& ring, std::uint64_t) {
       ring.offer(0, {{kNowhere, 16, false}, {DiskBench::kStatus, 1, true}});
     }},
    {"wild_data", "a write of 512 bytes at 0x400000000000 failed",
     [](DiskBench& bench, GuestRing& ring, std::uint64_t) {
       bench.put_header(0, 0);
       ring.offer(0, {{DiskBench::kHeader, 16, false}, {kNowhere, 512, true}, {DiskBench::kStatus, 1, true}});
     }},
    {"wild_status", "a write of 1 byte at 0x400000000000 failed",
     [](DiskBench& bench, GuestRing& ring, std::uint64_t) {
       bench.put_header(4, 0);
       ring.offer(0, {{DiskBench::kHeader, 16, false}, {kNowhere, 1, true}});
     }},
    {"wrong_direction", "a buffer that the device reads comes behind one that it writes",
     [](DiskBench&, GuestRing& ring, std::uint64_t) {
       ring.offer(0, {{DiskBench::kStatus, 1, true}, {DiskBench::kHeader, 16, false}});
     }},
    {"no_header", "has no header of 16 bytes",
     [](DiskBench&, GuestRing& ring, std::uint64_t) {
       ring.offer(0, {{DiskBench::kHeader, 15, false}, {DiskBench::kStatus, 1, true}});
     }},
    {"no_status", "has no byte for its status",
     [](DiskBench&, GuestRing& ring, std::uint64_t) {
       ring.offer(0, {{DiskBench::kHeader, 16, false}});
     }},
    {"indirect_with_next", "an indirect descriptor has a next one",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(table, 0, kHostileTables, 48, Flag::kIndirect | Flag::kNext, 1);
       ring.offer(0);
     }},
    {"indirect_in_indirect", "a descriptor of an indirect table is indirect itself",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(kHostileTables, 0, kHostileTables, 48, Flag::kIndirect);
       ring.describe(table, 0, kHostileTables, 48, Flag::kIndirect);
       ring.offer(0);
     }},
    {"indirect_of_no_bytes", "has 0 bytes, no multiple of 16",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(table, 0, kHostileTables, 0, Flag::kIndirect);
       ring.offer(0);
     }},
    {"indirect_of_odd_bytes", "has 50 bytes, no multiple of 16",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(table, 0, kHostileTables, 50, Flag::kIndirect);
       ring.offer(0);
     }},
    {"indirect_that_is_huge", "has more entries than the queue, 268435455",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(table, 0, kHostileTables, 0xFFFFFFF0, Flag::kIndirect);
       ring.offer(0);
     }},
    {"indirect_nowhere", "a read of 48 bytes at 0x400000000000 failed",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(table, 0, kNowhere, 48, Flag::kIndirect);
       ring.offer(0);
     }},
    {"loop_in_indirect", "or leads back into itself",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(kHostileTables, 0, DiskBench::kHeader, 16, Flag::kNext, 0);
       ring.describe(table, 0, kHostileTables, 48, Flag::kIndirect);
       ring.offer(0);
     }},
    {"next_beyond_indirect", "the next descriptor of an indirect table is 3 of 3",
     [](DiskBench&, GuestRing& ring, std::uint64_t table) {
       ring.describe(kHostileTables, 0, DiskBench::kHeader, 16, Flag::kNext, 3);
       ring.describe(table, 0, kHostileTables, 48, Flag::kIndirect);
       ring.offer(0);
     }},
};

class HostileQueue : public testing::TestWithParam<Hostile> {};

TEST_P(HostileQueue, ends_in_a_device_that_needs_a_reset) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kIndirectDesc);
  GetParam().put(bench, bench.ring(), bench.ring().place.descriptors);
  bench.notify();
  bench.run(1000);
  EXPECT_EQ(bench.next_event(), kNever) << "it stands still";
  EXPECT_TRUE(bench.needs_reset());
  EXPECT_EQ(bench.ring().used(), 0);
  EXPECT_EQ(bench.read(InterruptStatus), kConfigChange);
  EXPECT_TRUE(bench.lines.level());
  EXPECT_THAT(bench.first_finding(), HasSubstr(GetParam().why));
  bench.notify();
  EXPECT_EQ(bench.next_event(), kNever) << "nothing happens before a reset";
  EXPECT_EQ(bench.core.findings().size(), 1u);
  EXPECT_EQ(bench.core.broken_conservation(), "");

  bench.set_up(8, kVersion1);
  EXPECT_EQ(bench.ask(0, 0, 512), 0);
}

INSTANTIATE_TEST_SUITE_P(Chains, HostileQueue, testing::ValuesIn(kHostile),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(HostileQueue, a_descriptor_is_not_indirect_unless_that_was_negotiated) {
  DiskBench bench;
  bench.set_up(8, kVersion1);
  bench.ring().describe(bench.ring().place.descriptors, 0, kHostileTables, 48, Flag::kIndirect);
  bench.ring().offer(0);
  bench.notify();
  bench.run();
  EXPECT_TRUE(bench.needs_reset());
  EXPECT_THAT(bench.first_finding(), HasSubstr("though VIRTIO_F_INDIRECT_DESC was not negotiated"));
}

TEST(HostileQueue, a_ring_in_nowhere_is_told_with_who_notified) {
  DiskBench bench;
  bench.negotiate(kVersion1);
  bench.place(0, {8, 0x1000, kNowhere, 0x3000});
  bench.write(QueueReady, 1);
  bench.write(Status, kAllOk);
  std::uint8_t zero[4] = {};
  Access access;
  access.write = true;
  access.address = QueueNotify;
  access.data = zero;
  access.size = 4;
  access.initiator = 3;
  access.pc = 0x80001234;
  bench.core.access(access);
  bench.run();
  EXPECT_TRUE(bench.needs_reset());
  EXPECT_EQ(bench.core.findings([](const Origin& origin) { return "cpu at " + std::to_string(origin.pc); })[0].text,
            "The device needed a reset, since a read of 4 bytes at 0x400000000000 failed: nothing answers there "
            "(by cpu at 2147488308).");
}

TEST(HostileQueue, huge_buffers_are_not_worked_through_beyond_the_disk) {
  DiskBench bench;
  bench.set_up(8);
  bench.put_header(0, 0);
  bench.ring().offer(
      0, {{DiskBench::kHeader, 16, false}, {DiskBench::kData, 0xFFFFFE00, true}, {DiskBench::kStatus, 1, true}});
  bench.notify();
  bench.run(1000);
  EXPECT_EQ(bench.port.memory[DiskBench::kStatus], 1) << "no such sectors";
  EXPECT_EQ(bench.ring().used(), 1);
}

}  // namespace
}  // namespace vp
