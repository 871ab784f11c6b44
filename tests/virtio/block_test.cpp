// The disk: sectors, flush, serial number, read-only and impossible requests, and how long a request takes.
#include "models/virtio/block.h"

#include "tests/support/dice.h"
#include "tests/virtio/bench.h"
#include "tests/virtio/disk_image.h"

namespace vp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(VirtioBlock, reads_back_what_was_written) {
  DiskBench bench;
  bench.set_up(8);
  bench.fill(3, 3 * 512);
  const std::vector<std::uint8_t> written = bench.data(3 * 512);
  EXPECT_EQ(bench.ask(kOut, 7, 3 * 512), kOk);
  bench.fill(200, 3 * 512);
  EXPECT_EQ(bench.ask(kIn, 7, 3 * 512), kOk);
  EXPECT_EQ(bench.data(3 * 512), written);
  EXPECT_EQ(bench.core.behind.figures().written_bytes, 3u * 512);
  EXPECT_EQ(bench.core.behind.figures().read_bytes, 3u * 512);
}

TEST(VirtioBlock, moves_requests_that_are_larger_than_its_buffer) {
  DiskBench bench;
  bench.set_up(8);
  constexpr std::uint32_t kBytes = 300 * 1024;
  bench.fill(3, kBytes);
  const std::vector<std::uint8_t> written = bench.data(kBytes);
  EXPECT_EQ(bench.ask(kOut, 1, kBytes), kOk);
  bench.fill(200, kBytes);
  EXPECT_EQ(bench.ask(kIn, 1, kBytes), kOk);
  EXPECT_EQ(bench.data(kBytes), written);
}

TEST(VirtioBlock, refuses_sectors_that_it_does_not_have) {
  DiskBench bench(DiskBench::small(64 * 512));
  bench.set_up(8);
  EXPECT_EQ(bench.ask(kIn, 63, 512), kOk);
  EXPECT_EQ(bench.ask(kIn, 63, 1024), kIoError);
  EXPECT_EQ(bench.ask(kIn, 64, 512), kIoError);
  EXPECT_EQ(bench.ask(kOut, 64, 512), kIoError);
  EXPECT_EQ(bench.ask(kOut, ~std::uint64_t{0}, 512), kIoError);
  EXPECT_EQ(bench.ask(kIn, std::uint64_t{1} << 55, 512), kIoError) << "its place in bytes would be 0";
  EXPECT_EQ(bench.ask(kIn, 0, 100), kIoError) << "no whole sector";
  EXPECT_EQ(bench.core.behind.figures().failed, 6u);
  EXPECT_FALSE(bench.needs_reset());
}

TEST(VirtioBlock, says_that_nothing_was_written_before_the_status_of_a_failed_read) {
  DiskBench bench(DiskBench::small(64 * 512));
  bench.set_up(8);
  bench.ask(kIn, 64, 512);
  EXPECT_EQ(bench.ring().used_bytes(0), 0u);
}

TEST(VirtioBlock, tells_its_serial_number) {
  virtio::BlockConfig config;
  config.serial = "twelve-bytes";
  DiskBench bench(config);
  bench.set_up(8);
  EXPECT_EQ(bench.ask(kGetId, 0, 20), kOk);
  EXPECT_STREQ(reinterpret_cast<const char*>(bench.data(20).data()), "twelve-bytes");
}

TEST(VirtioBlock, does_not_know_other_requests) {
  DiskBench bench;
  bench.set_up(8);
  EXPECT_EQ(bench.ask(kDiscard, 0, 16), kUnsupported);
  EXPECT_EQ(bench.ask(77, 0, 0), kUnsupported);
}

TEST(VirtioBlock, takes_a_read_of_nothing) {
  DiskBench bench;
  bench.set_up(8);
  EXPECT_EQ(bench.ask(kIn, 0, 0), kOk);
  EXPECT_EQ(bench.ask(kFlush, 0, 0), kOk);
}

TEST(VirtioBlock, has_a_file_and_leaves_it_as_it_is) {
  const DiskImage image(8192);
  virtio::BlockConfig config;
  config.file = image.name();
  DiskBench bench(config);
  bench.set_up(8);
  EXPECT_EQ(bench.read(Config), 16u);
  EXPECT_EQ(bench.ask(kIn, 5, 512), kOk);
  EXPECT_EQ(bench.data(512), image.bytes(5 * 512, 512));
  bench.fill(1, 512);
  const std::vector<std::uint8_t> written = bench.data(512);
  const std::vector<std::uint8_t> before = image.bytes(0, 8192);
  EXPECT_EQ(bench.ask(kOut, 5, 512), kOk);
  EXPECT_EQ(bench.ask(kFlush, 0, 0), kOk);
  EXPECT_EQ(image.bytes(0, 8192), before);
  EXPECT_EQ(bench.ask(kIn, 4, 1536), kOk);
  std::vector<std::uint8_t> expected = image.bytes(4 * 512, 1536);
  std::copy(written.begin(), written.end(), expected.begin() + 512);
  EXPECT_EQ(bench.data(1536), expected) << "the sectors beside are the file's";
}

TEST(VirtioBlock, writes_to_the_file_if_it_shall) {
  const DiskImage image(8192);
  virtio::BlockConfig config;
  config.file = image.name();
  config.write = virtio::DiskWrites::file;
  DiskBench bench(config);
  bench.set_up(8);
  bench.fill(1, 1024);
  EXPECT_EQ(bench.ask(kOut, 2, 1024), kOk);
  EXPECT_EQ(bench.ask(kFlush, 0, 0), kOk);
  EXPECT_EQ(image.bytes(1024, 1024), bench.data(1024));
}

TEST(VirtioBlock, offers_to_be_read_only_and_refuses_to_write) {
  const DiskImage image(8192);
  virtio::BlockConfig config;
  config.file = image.name();
  config.write = virtio::DiskWrites::none;
  DiskBench bench(config);
  EXPECT_EQ(bench.core.behind.features() & (virtio::Block::kReadOnly | virtio::Block::kFlush),
            virtio::Block::kReadOnly);
  bench.set_up(8);
  EXPECT_EQ(bench.ask(kOut, 2, 512), kIoError);
  EXPECT_EQ(bench.ask(kIn, 2, 512), kOk);
  EXPECT_EQ(bench.data(512), image.bytes(1024, 512));
}

TEST(VirtioBlock, tells_of_a_file_that_has_become_shorter) {
  const DiskImage image(8192);
  virtio::BlockConfig config;
  config.file = image.name();
  DiskBench bench(config);
  bench.set_up(8);
  image.shorten(4096);
  EXPECT_EQ(bench.ask(kIn, 7, 512), kOk);
  EXPECT_EQ(bench.ask(kIn, 8, 512), kIoError);
  EXPECT_EQ(bench.first_finding(),
            "the disk image '" + image.name() + "' has become shorter during the run: requests ended with an error.");
}

/// When the interrupt of a read of so many bytes comes after its notification.
Picoseconds time_of_read(const virtio::BlockConfig& config, std::uint32_t bytes) {
  DiskBench bench(config);
  bench.set_up(8);
  const Picoseconds start = bench.now();
  EXPECT_EQ(bench.ask(kIn, 0, bytes), kOk);
  return bench.edges.at(0).first - start;
}

TEST(VirtioBlock, takes_the_mediums_time_beside_that_of_the_bus) {
  virtio::BlockConfig config;
  config.medium = {0, 0};
  const Picoseconds on_the_bus = time_of_read(config, 512);
  config.medium.latency = 3'000'000;
  EXPECT_EQ(time_of_read(config, 512), on_the_bus + 3'000'000);
  config.medium.bandwidth = 100'000'000;
  EXPECT_EQ(time_of_read(config, 512), on_the_bus + 3'000'000 + 5'120'000);
}

TEST(VirtioBlock, reads_ahead_of_the_bus) {
  virtio::BlockConfig config;
  config.medium = {0, 0};
  constexpr std::uint32_t kBytes = 4 * 65536;
  const Picoseconds on_the_bus = time_of_read(config, kBytes);
  config.medium.bandwidth = 10'000'000;  // slower than the bus: only the last part's bytes come behind it
  const Picoseconds medium = std::uint64_t{kBytes} * 100'000;
  EXPECT_GT(time_of_read(config, kBytes), medium);
  EXPECT_LT(time_of_read(config, kBytes), medium + on_the_bus / 2);
}

TEST(VirtioBlock, is_never_visible_before_the_time_that_it_has_announced) {
  DiskBench bench;
  bench.core.set_fidelity(Fidelity::timed);
  bench.set_up(8);
  bench.put_header(kIn, 0);
  bench.ring().offer(0, DiskBench::request(kIn, 65536));
  bench.notify();
  Picoseconds announced = bench.timer.when;
  for (; bench.edges.empty(); announced = bench.timer.when) {
    ASSERT_NE(announced, kNever) << "something is under way";
    ASSERT_TRUE(bench.step());
    EXPECT_GE(bench.timer.when, announced) << "others have run up to then";
  }
  EXPECT_LT(bench.deliveries, 200u) << "and it does not look for ever";
}

}  // namespace
}  // namespace vp
