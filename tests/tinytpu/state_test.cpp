#include <gtest/gtest.h>

#include "models/tinytpu/device.h"
#include "models/tinytpu/isa.h"
#include "tests/support/register_access.h"
#include "tests/support/saved_state.h"

namespace vp::tinytpu {
namespace {

/// A host that pushes instructions, reads and writes both buffers, resets now and then, and waits.
struct Bench {
  explicit Bench(const TinyTpuConfig& config) : device(config, timer), map(config) {
    device.synchronize_line().bind([this](bool level) { seen << "line " << level << " at " << delivered << '\n'; });
  }
  void step(Dice& dice) {
    if (dice.one_in(3)) pass(bus.now + dice.from_to(0, 300) * device.clock().period());
    switch (dice.from_to(0, 7)) {
      case 0:
        bus.write(offset(dice, 0), dice.source()(), dice.power_of_two(1, 2));
        break;
      case 1:
        bus.write(offset(dice, map.unified_buffer_offset()), dice.source()(), 4);
        break;
      case 2:
        seen << bus.read(offset(dice, map.unified_buffer_offset()), 4) << '\n';
        break;
      case 3:
        seen << bus.read(map.instruction_offset(), 4) << '\n';
        break;
      case 4:
        if (dice.one_in(25)) device.reset(bus.now);
        break;
      default:
        push(dice);
    }
    if (bus.result == AccessResult::no_answer) device.reset(bus.now);
    seen << bus.now << ' ' << timer.when << ' ' << device.synchronize_line().level() << '\n';
    if (dice.one_in(10)) look();
  }
  void persist(Archive& archive) {
    archive("device", device)("timer", timer.when)("now", bus.now)("delivered", delivered);
  }

 private:
  void pass(Picoseconds time) {
    while (timer.when <= time) {
      delivered = timer.when;
      timer.when = kNever;
      device.deliver();
    }
    bus.now = std::max(bus.now, time);
  }
  std::uint64_t offset(Dice& dice, std::uint64_t region) {
    return region + dice.from_to(0, 63) * map.stride() + 4 * dice.from_to(0, 3);
  }
  void push(Dice& dice) {
    Instruction in;
    const std::uint8_t opcodes[] = {0x08, 0x09, 0x20, 0x21, 0x22, 0x23, 0x80, 0x81, 0x91, 0x89, 0x99, 0xFF, 0x00, 0x02};
    in.opcode = opcodes[dice.from_to(0, 13)];
    in.length = dice.one_in(20) ? dice.from_to(0, 3000) : dice.from_to(0, 40);
    in.accumulator = static_cast<std::uint16_t>(dice.from_to(0, 60));
    in.buffer = dice.from_to(0, 60);
    if (in.kind() == InstructionKind::read_weights) in.set_weight_address(dice.from_to(0, 60));
    const InstructionWords words = encode(in);
    for (unsigned i = 0; i < 3; ++i)
      if (!dice.one_in(300)) bus.write(map.instruction_offset() + 4 + 4 * i, words[i], 4);
  }
  void look() {
    std::vector<std::uint8_t> bytes(64 * map.stride());
    device.debug_read(map.unified_buffer_offset(), bytes.data(), static_cast<unsigned>(bytes.size()));
    for (const std::uint8_t byte : bytes) seen << unsigned{byte} << ' ';
    seen << text_of(device.figures(bus.now));
    for (const Finding& finding : device.hazards(bus.now)) seen << finding.time << finding.text << '\n';
  }

  RecordingTimer timer;
  TinyTpuDevice device;
  MemoryMap map;
  RegisterAccess bus{device};
  Picoseconds delivered = 0;

 public:
  std::ostringstream seen;
};

TinyTpuConfig small(unsigned width, unsigned fifo, bool hazards) {
  TinyTpuConfig config;
  config.matrix_width = width;
  config.weight_depth = config.unified_buffer_depth = 64;
  config.fifo_depth = fifo;
  config.hazard_report = hazards;
  return config;
}

TEST(TinyTpuState, a_loaded_device_goes_on_as_the_saved_one) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const TinyTpuConfig config = small(2 + seed % 19, 2 + seed % 7, seed % 4 != 0);
    expect_equal_after_loading([&] { return std::make_unique<Bench>(config); }, seed, 10, 60);
  }
}

TEST(TinyTpuState, a_state_of_another_array_is_the_users_error) {
  Bench from(small(14, 32, true)), to(small(8, 32, true));
  try {
    load_state(to, save_state(from));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "the saved state does not fit this machine: device.core.sequencer.width is set differently in this "
                 "machine");
  }
}

}  // namespace
}  // namespace vp::tinytpu
