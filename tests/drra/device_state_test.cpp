// The device is saved at any moment of its runs and transfers, and goes on elsewhere; and it stands any access.
#include <gtest/gtest.h>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "tests/drra/device_bench.h"
#include "tests/drra/fabric_state.h"
#include "tests/support/dice.h"
#include "tests/support/saved_state.h"

namespace vp::drra {
namespace {

DeviceConfig small_device() {
  DeviceConfig config;
  config.fabric.columns = 2;
  config.fabric.dimarch_rows = 1;
  config.fabric.io_rows = 4;
  config.dma_burst_rows = 2;
  return config;
}

/// Programs that do something for a while: streams, loops, waits, rows to and from memories.
std::string random_cell(Dice& dice, unsigned row, unsigned column) {
  const auto number = [&dice](unsigned low, unsigned high) { return std::to_string(dice.from_to(low, high)); };
  return ".cell " + std::to_string(row) + "," + std::to_string(column) + "\nSWB src_port=0 hb_index=" + number(0, 4) +
         " v_index=2\nSWB src_port=1 hb_index=2 v_index=3\nSWB src_block=dpu hb_index=2 v_index=0\nROUTE direction=r\n"
         "ROUTE direction=w\nBW config=" +
         number(0, 3) + "\nDPU mode=" + number(0, 31) + "\nLOOP loopid=1 iter=" + number(1, 20) +
         " endpc=end\nSRAM rw=" + number(0, 1) + " l1_iter=" + number(0, 5) +
         "\nREFI port_no=w0 dimarch=y init_delay=3 l1_iter=3\nREFI port_no=r0 init_addr_sd=d init_addr=14 l1_iter=" +
         number(0, 20) + " l2_iter=2 l1_delay=" + number(0, 3) +
         "\nREFI port_no=w0 init_addr=32 l1_iter=" + number(0, 30) +
         "\nPERM mode=4 block=1 distance=3\nend: WAIT cycle=" + number(0, 90) + "\nHALT\nHALT\n";
}

class StateBench : public DeviceBench {
 public:
  StateBench() : DeviceBench(small_device()) {}

  void step(Dice& dice) {
    switch (dice.from_to(0, 9)) {
      case 0:
        load(random_cell(dice, dice.from_to(0, 1), dice.from_to(0, 1)));
        break;
      case 1:
      case 2:
        write(kControl, kStart | (dice.one_in(2) ? kDoneIrq : 0u));
        break;
      case 3:
        write_half((dice.one_in(3)   ? kFiles
                    : dice.one_in(2) ? kMemories
                                     : kInput) +
                       2 * dice.from_to(0, 63),
                   static_cast<std::int16_t>(dice.source()()));
        break;
      case 4:
        seen << read((dice.one_in(3)   ? kFiles
                      : dice.one_in(2) ? kMemories
                                       : kOutput) +
                     4 * dice.from_to(0, 31))
             << '\n';
        break;
      case 5:
        if (dice.one_in(20)) write(kControl, kReset);
        break;
      case 6:
        write(kStatus, dice.from_to(0, 255));
        break;
      default:
        run_to(now() + dice.from_to(0, 2'000'000));
    }
    seen << now() << ' ' << read(kStatus) << ' ' << read(kCycles) << ' ' << read(kFindings) << ' '
         << device.figures().run.runs << ' ' << lines.level() << ' ' << read(kCellState) << ' '
         << device.broken_conservation() << '\n';
  }
  void persist(Archive& archive) {
    Picoseconds time = now();
    archive("time", time)("timer", timer.when)("device", device);
    if (archive.loading()) port.set_now(time);
  }

  std::ostringstream seen;
};

TEST(DrraDeviceState, goes_on_elsewhere_as_if_nothing_had_been) {
  for (unsigned seed = 0; seed < 8; ++seed)
    expect_equal_after_loading([] { return std::make_unique<StateBench>(); }, seed, 12, 60);
}

TEST(DrraDeviceState, is_that_of_the_fabric_in_all_that_can_be_seen) {
  Dice dice(7);
  StateBench bench, copy;
  for (int i = 0; i < 300; ++i) {
    bench.step(dice);
    load_state(copy, save_state(bench));
    ASSERT_EQ(state_of(copy.device.fabric()), state_of(bench.device.fabric())) << i;
  }
}

TEST(DrraDeviceState, of_another_size_is_refused) {
  DeviceBench small(small_device()), large;
  const std::string state = save_state(small.device);
  EXPECT_THROW(load_state(large.device, state), UserError);
}

/// Whatever is written wherever: no crash, no hang, and a debugger's read gives what a guest's read gives.
TEST(DrraDeviceFuzz, stands_any_access) {
  static constexpr std::uint64_t kPlaces[] = {0, 0x40, kLength, kCellState, kCode, kFiles, kMemories, kInput, kOutput};
  for (unsigned seed = 0; seed < 40; ++seed) {
    Dice dice(seed);
    DeviceBench bench(small_device());
    for (int i = 0; i < 400; ++i) {
      const std::uint64_t offset =
          dice.one_in(10)
              ? dice.source()() % kDeviceWindow
              : kPlaces[dice.from_to(0, 8)] + (dice.one_in(3) ? dice.from_to(0, 0x100) : 4 * dice.from_to(0, 40));
      const unsigned size = std::min<unsigned>(1u << dice.from_to(0, 2), 4 - offset % 4);
      bench.registers.now = bench.now();
      switch (dice.from_to(0, 3)) {
        case 0:
          bench.registers.write(offset, dice.one_in(2) ? dice.from_to(0, 100) : dice.source()(), size);
          break;
        case 1: {
          const std::uint64_t value = bench.registers.read(offset, size);
          if (bench.registers.result == AccessResult::ok) {
            ASSERT_EQ(bench.registers.peek(offset, size), value) << "seed " << seed << " offset " << offset;
          }
          break;
        }
        case 2:
          bench.write(kControl, kStart);
          break;
        default:
          bench.run_to(bench.now() + dice.from_to(0, 3'000'000));
      }
    }
    bench.device.catch_up(bench.now());
    bench.device.findings();
    ASSERT_EQ(bench.device.broken_conservation(), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace vp::drra
