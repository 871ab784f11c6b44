// Bounded fuzzing of the transport: whatever a driver puts into registers, rings and descriptors, the device comes to
// rest, knows what it has done, and works after a reset.
#include "tests/support/dice.h"
#include "tests/support/rounds.h"
#include "tests/virtio/bench.h"

namespace vp {
namespace {

constexpr std::uint64_t kTables = 0x6000;

/// An address that is mostly in memory, a length that is mostly small.
std::uint64_t fuzzed_address(Dice& dice) {
  if (dice.one_in(10)) return dice.source()();
  return dice.one_in(2) ? DiskBench::kHeader + dice.from_to(0, 1) * 0x100 : dice.from_to(0, (1 << 20) + 100);
}
std::uint32_t fuzzed_size(Dice& dice) {
  if (dice.one_in(12)) return static_cast<std::uint32_t>(dice.source()());
  return dice.one_in(2) ? dice.power_of_two(1, 13) : dice.from_to(0, 64) * (dice.one_in(2) ? 16 : 1);
}

void fuzz_descriptor(Dice& dice, GuestRing& ring, std::uint64_t table, unsigned index, unsigned entries) {
  const std::uint64_t address = dice.one_in(4) ? kTables + 16 * dice.from_to(0, 8) : fuzzed_address(dice);
  const unsigned flags = dice.one_in(9) ? static_cast<unsigned>(dice.source()() & 0xFFFF) : dice.from_to(0, 7) & ~4u;
  ring.describe(table, index, address, fuzzed_size(dice), flags | (dice.one_in(5) ? 4u : 0u),
                dice.one_in(10) ? static_cast<unsigned>(dice.source()() & 0xFFFF) : dice.from_to(0, entries));
}

void fuzz_rings(Dice& dice, DiskBench& bench) {
  GuestRing& ring = bench.ring();
  const unsigned entries = ring.place.size;
  bench.put_header(dice.from_to(0, dice.one_in(5) ? 20 : 1), dice.from_to(0, 2100));
  for (unsigned i = 0; i < entries; ++i) fuzz_descriptor(dice, ring, ring.place.descriptors, i, entries);
  for (unsigned i = 0; i < 16; ++i) fuzz_descriptor(dice, ring, kTables, i, 16);
  if (dice.one_in(2)) ring.chain(ring.place.descriptors, 0, DiskBench::request(dice.from_to(0, 1), fuzzed_size(dice)));
  for (unsigned i = dice.from_to(1, entries); i > 0; --i) ring.offer(dice.one_in(20) ? 0xFFFF : dice.from_to(0, 2));
  if (dice.one_in(20)) ring.put(ring.place.driver + 2, dice.from_to(0, 0xFFFF), 2);
  if (dice.one_in(4)) ring.set_used_event(dice.from_to(0, 5));
}

void fuzz_register(Dice& dice, DiskBench& bench) {
  const unsigned offset = dice.one_in(4) ? dice.from_to(0, 0x130) : dice.from_to(0, 0x30) * 4;
  const auto value = dice.one_in(2) ? dice.from_to(0, 16) : static_cast<unsigned>(dice.source()());
  bench.registers.now = bench.now();
  if (dice.one_in(2))
    bench.registers.write(offset, value, dice.one_in(5) ? dice.from_to(1, 4) : 4);
  else
    bench.registers.read(offset, dice.one_in(5) ? dice.from_to(1, 4) : 4);
}

/// Lets it work until it rests; buffers can be as large as the disk, and no larger.
void let_it_rest(DiskBench& bench) {
  constexpr unsigned kMostSteps = 400'000;
  bench.run(kMostSteps);
  ASSERT_EQ(bench.next_event(), kNever) << "endless work";
  bench.port.log.clear();
}

TEST(VirtioFuzz, any_rings_end_in_rest_and_a_device_that_can_be_reset) {
  unsigned runs = 0, refused = 0, used = 0;
  for (Rounds rounds(1'500); rounds.next();) {
    SCOPED_TRACE(rounds.seed());
    Dice dice(rounds.seed());
    DiskBench bench(DiskBench::small());
    for (unsigned i = 0; i < 3; ++i) {
      bench.set_up(dice.power_of_two(2, 4),
                   kVersion1 | (dice.one_in(3) ? 0 : kIndirectDesc) | (dice.one_in(2) ? 0 : kEventIdx));
      const std::string known = bench.first_finding();
      fuzz_rings(dice, bench);
      bench.notify();
      bench.run(dice.from_to(0, 60));
      if (dice.one_in(3)) fuzz_rings(dice, bench);  // while it works
      if (dice.one_in(3)) bench.notify();
      let_it_rest(bench);
      ++runs;
      refused += bench.needs_reset();
      used += bench.ring().used() != 0;
      ASSERT_EQ(bench.core.broken_conservation(), "");
      ASSERT_EQ(bench.needs_reset(), bench.first_finding() != known);
    }
    bench.set_up(8);
    ASSERT_EQ(bench.ask(0, 0, 512), 0);
  }
  EXPECT_GT(refused, runs / 45);
  EXPECT_GT(used, runs / 45);
}

TEST(VirtioFuzz, any_accesses_of_registers_leave_a_device_that_can_be_reset) {
  for (Rounds rounds(400); rounds.next();) {
    SCOPED_TRACE(rounds.seed());
    Dice dice(rounds.seed());
    DiskBench bench(DiskBench::small());
    bench.set_up(8, kVersion1 | kIndirectDesc);
    fuzz_rings(dice, bench);
    for (unsigned i = 0; i < 200; ++i) {
      fuzz_register(dice, bench);
      if (dice.one_in(4)) bench.run(dice.from_to(1, 20));
      if (dice.one_in(20)) bench.set_up(8);
    }
    let_it_rest(bench);
    ASSERT_EQ(bench.core.broken_conservation(), "");
    bench.core.findings();
    bench.core.work();
    bench.set_up(8);
    ASSERT_EQ(bench.ask(0, 0, 512), 0);
  }
}

}  // namespace
}  // namespace vp
