// Split virtqueues as a driver uses them: chains, tables, the ring's wrap, interrupts wanted or not; reset and stop.
#include "models/virtio/queue.h"

#include "tests/virtio/bench.h"

namespace vp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kTable = 0x6000;

TEST(Virtqueue, gives_a_chain_back_with_the_bytes_written_and_interrupts) {
  DiskBench bench;
  bench.set_up(8);
  bench.put_header(kIn, 3);
  bench.fill(1, 1024);
  bench.ring().offer(2, DiskBench::request(kIn, 1024));
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.ring().used(), 1);
  EXPECT_EQ(bench.ring().used_head(0), 2u);
  EXPECT_EQ(bench.ring().used_bytes(0), 1025u);
  EXPECT_EQ(bench.data(1024), std::vector<std::uint8_t>(1024, 0)) << "a new disk";
  EXPECT_EQ(bench.edges.size(), 1u);
  EXPECT_EQ(bench.read(InterruptStatus), kUsedBuffer);
  EXPECT_THAT(bench.core.findings(), IsEmpty());
}

TEST(Virtqueue, makes_exactly_the_accesses_that_the_specification_asks_for) {
  DiskBench bench;
  bench.set_up(8);
  bench.put_header(kIn, 0);
  bench.ring().offer(0, DiskBench::request(kIn, 512));
  bench.notify();
  bench.run();
  std::vector<std::string> made;
  for (const std::string& line : bench.port.log) made.push_back(line.substr(0, line.find(' ')));
  EXPECT_THAT(made, ElementsAre("r4@4224", "r2@4228",                                         // index and head
                                "r16@4096", "r16@4112", "r16@4128",                           // descriptors
                                "r16@32768", "w512@65536", "w1@33024", "w8@4252", "w2@4250",  // used element and index
                                "r4@4224"));
}

TEST(Virtqueue, reads_an_indirect_table_at_once) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kIndirectDesc);
  bench.put_header(kIn, 0);
  bench.ring().chain(kTable, 0, DiskBench::request(kIn, 512));
  bench.ring().describe(bench.ring().place.descriptors, 5, kTable, 48, GuestRing::kIndirect);
  bench.ring().offer(5);
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.port.memory[DiskBench::kStatus], 0);
  EXPECT_EQ(bench.ring().used_head(0), 5u);
  EXPECT_EQ(bench.port.log[3].substr(0, 9), "r48@24576");
}

TEST(Virtqueue, goes_on_from_a_chain_into_an_indirect_table) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kIndirectDesc);
  bench.put_header(kIn, 0);
  const auto buffers = DiskBench::request(kIn, 512);
  bench.ring().describe(bench.ring().place.descriptors, 0, DiskBench::kHeader, 16, GuestRing::kNext, 1);
  bench.ring().chain(kTable, 0, {buffers[1], buffers[2]});
  bench.ring().describe(bench.ring().place.descriptors, 1, kTable, 32, GuestRing::kIndirect | GuestRing::kWrite);
  bench.ring().offer(0);
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.port.memory[DiskBench::kStatus], 0);
  EXPECT_THAT(bench.core.findings(), IsEmpty());
}

TEST(Virtqueue, moves_data_over_buffers_of_any_size) {
  DiskBench bench;
  bench.set_up(16);
  bench.fill(9, 2048);
  ASSERT_EQ(bench.ask(kOut, 4, 2048), 0);
  const std::vector<std::uint8_t> written = bench.data(2048);
  bench.fill(0, 2048);
  bench.put_header(kIn, 4);
  bench.ring().offer(0, {{DiskBench::kHeader, 7, false},
                         {DiskBench::kHeader + 7, 9, false},
                         {DiskBench::kData, 1, true},
                         {DiskBench::kData + 1, 1000, true},
                         {DiskBench::kData + 1001, 1046, true},
                         {DiskBench::kData + 2047, 1, true},
                         {DiskBench::kStatus, 1, true}});
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.data(2048), written);
  EXPECT_EQ(bench.ring().used_bytes(1), 2049u);
}

TEST(Virtqueue, wraps_around_and_finds_what_comes_while_it_works) {
  DiskBench bench;
  bench.set_up(4);
  unsigned done = 0;
  for (unsigned i = 0; i < 70'000; ++i) {
    bench.put_header(kIn, i % 100);
    bench.ring().offer(0, DiskBench::request(kIn, 512));
    bench.notify();
    bench.run(5);
    if (i % 7 == 0) bench.notify();  // for nothing, in the middle
    bench.run();
    bench.write(InterruptACK, kUsedBuffer);
    done += bench.port.memory[DiskBench::kStatus] == 0;
    bench.port.log.clear();
  }
  EXPECT_EQ(done, 70'000u);
  EXPECT_EQ(bench.ring().used(), 70'000 % 65'536) << "indices are free-running";
  EXPECT_EQ(bench.core.figures().requests, 70'000u);
  EXPECT_EQ(bench.core.broken_conservation(), "");
}

TEST(Virtqueue, takes_all_that_one_notification_tells_of) {
  DiskBench bench;
  bench.set_up(16);
  bench.put_header(kIn, 0);
  for (const unsigned head : {0u, 3u, 6u, 9u}) bench.ring().offer(head, DiskBench::request(kIn, 512));
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.ring().used(), 4);
  EXPECT_EQ(bench.ring().used_head(3), 9u);
}

TEST(Virtqueue, does_not_interrupt_a_driver_that_does_not_want_it) {
  DiskBench bench;
  bench.set_up(8);
  bench.ring().set_flags(1);
  bench.ask(kIn, 0, 512);
  EXPECT_EQ(bench.ring().used(), 1);
  EXPECT_THAT(bench.edges, IsEmpty());
}

TEST(Virtqueue, interrupts_when_the_used_index_passes_the_event_index) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kEventIdx);
  bench.ring().set_used_event(2);
  std::vector<bool> interrupted;
  for (unsigned i = 0; i < 5; ++i) {
    bench.ask(kIn, 0, 512);
    interrupted.push_back(bench.lines.level());
    bench.write(InterruptACK, kUsedBuffer);
  }
  EXPECT_THAT(interrupted, ElementsAre(false, false, true, false, false));
}

TEST(Virtqueue, tells_from_which_index_on_it_wants_to_be_notified) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kEventIdx);
  for (unsigned i = 1; i < 4; ++i) {
    bench.ask(kIn, 0, 512);
    EXPECT_EQ(bench.ring().avail_event(), i);
  }
}

TEST(Virtqueue, finds_a_request_that_comes_while_it_goes_to_rest) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kEventIdx);
  bench.put_header(kIn, 0);
  bench.ring().offer(0, DiskBench::request(kIn, 512));
  bench.notify();
  while (bench.ring().used() == 0) bench.step();
  for (int i = 0; i < 3; ++i) bench.step();
  bench.ring().offer(3, DiskBench::request(kIn, 512));  // no notification: avail_event does not ask for one yet
  bench.run();
  EXPECT_EQ(bench.ring().used(), 2);
}

TEST(Virtqueue, can_be_reset_at_any_moment_and_works_again) {
  DiskBench bench;
  bench.set_up(8, kVersion1 | kIndirectDesc);
  unsigned moments = 0;
  for (bool more = true; more; ++moments) {
    bench.set_up(8, kVersion1 | kIndirectDesc);
    bench.put_header(kOut, 1);
    bench.ring().chain(kTable, 0, DiskBench::request(kOut, 4096));
    bench.ring().describe(bench.ring().place.descriptors, 0, kTable, 48, GuestRing::kIndirect);
    bench.ring().offer(0);
    bench.notify();
    for (unsigned i = 0; i < moments && more; ++i) more = bench.step();
    bench.write(Status, 0);
    EXPECT_FALSE(bench.lines.level());
    bench.set_up(8, kVersion1);  // while accesses of before are still on the bus
    ASSERT_EQ(bench.ask(kIn, 0, 512), 0) << moments;
    ASSERT_EQ(bench.ring().used(), 1) << moments;
    ASSERT_EQ(bench.core.broken_conservation(), "");
    ASSERT_THAT(bench.core.findings(), IsEmpty());
  }
  EXPECT_GT(moments, 20u);
  EXPECT_GT(bench.core.figures().dropped, 10u);
}

TEST(Virtqueue, does_nothing_more_once_it_is_not_ready) {
  DiskBench bench;
  bench.set_up(8);
  bench.put_header(kIn, 0);
  bench.ring().offer(0, DiskBench::request(kIn, 512));
  bench.notify();
  bench.run(9);
  bench.write(QueueSel, 0);
  bench.write(QueueReady, 0);
  EXPECT_EQ(bench.read(QueueReady), 0u);
  bench.run();
  EXPECT_EQ(bench.ring().used(), 0);
  EXPECT_EQ(bench.core.figures().dropped, 1u);
  bench.place(0, bench.ring().place);
  bench.write(QueueReady, 1);
  bench.notify();
  bench.run();
  EXPECT_EQ(bench.ring().used(), 1) << "a queue that is set up anew begins at the beginning";
}

}  // namespace
}  // namespace vp
