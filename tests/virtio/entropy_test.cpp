#include "models/virtio/entropy.h"

#include <algorithm>

#include "models/common/error.h"
#include "tests/support/saved_state.h"
#include "tests/virtio/bench.h"

namespace vp {
namespace {

using EntropyBench = VirtioBench<virtio::Entropy, virtio::EntropyConfig>;

constexpr std::uint64_t kHere = 0x10000;

std::vector<std::uint8_t> bytes_of(EntropyBench& bench, std::uint32_t count) {
  bench.ring().offer(0, {{kHere, count, true}});
  bench.notify();
  bench.run();
  return {bench.port.memory.begin() + kHere, bench.port.memory.begin() + static_cast<std::ptrdiff_t>(kHere + count)};
}

std::vector<std::uint8_t> first_bytes(const virtio::EntropyConfig& config) {
  EntropyBench bench(config);
  bench.set_up(4);
  return bytes_of(bench, 64);
}

TEST(VirtioEntropy, gives_the_same_bytes_for_a_seed_in_every_run) {
  virtio::EntropyConfig config;
  EXPECT_EQ(first_bytes(config), first_bytes(config));
  config.seed = 2;
  EXPECT_NE(first_bytes(config), first_bytes({}));
}

TEST(VirtioEntropy, gives_other_bytes_each_time) {
  EntropyBench bench;
  bench.set_up(4);
  const auto first = bytes_of(bench, 100);
  EXPECT_NE(bytes_of(bench, 100), first);
  EXPECT_EQ(bench.core.behind.figures().bytes, 200u);
  EXPECT_EQ(bench.ring().used_bytes(1), 100u);
}

TEST(VirtioEntropy, fills_no_more_than_its_buffer_of_a_large_request) {
  EntropyBench bench;
  bench.set_up(4);
  bytes_of(bench, 100'000);
  EXPECT_EQ(bench.ring().used_bytes(0), 65'536u);
  EXPECT_TRUE(std::all_of(bench.port.memory.begin() + kHere + 65'536, bench.port.memory.begin() + kHere + 100'000,
                          [](std::uint8_t byte) { return byte == 0; }));
}

TEST(VirtioEntropy, gives_the_hosts_bytes_if_it_shall_and_has_no_state_then) {
  virtio::EntropyConfig config;
  config.source = virtio::EntropySource::host;
  EXPECT_NE(first_bytes(config), first_bytes(config));
  virtio::Entropy entropy(config);
  EXPECT_THROW(save_state(entropy), UserError);
}

TEST(VirtioEntropy, refuses_buffers_to_be_read) {
  EntropyBench bench;
  bench.set_up(4);
  bench.ring().offer(0, {{kHere, 8, false}, {kHere, 8, true}});
  bench.notify();
  bench.run();
  EXPECT_TRUE(bench.needs_reset());
}

}  // namespace
}  // namespace vp
