#include <gtest/gtest.h>

#include "models/matmul/host_commands.h"
#include "models/matmul/loader.h"
#include "models/matmul/serial_device.h"
#include "tests/support/register_access.h"
#include "tests/support/saved_state.h"

namespace vp::matmul {
namespace {

/// A host at the other end of the line: sends commands and noise, pauses, and drives CTS.
struct Bench : SerialLineEnd {
  explicit Bench(const MatmulConfig& settings) : config(settings), device(settings, timer) { device.connect(*this); }

  void receive(const SerialFrame& frame) override { seen << "frame " << frame.start << ' ' << frame.symbols << '\n'; }
  void set_clear_to_send(bool ready, Picoseconds when) override { seen << "rts " << ready << ' ' << when << '\n'; }

  void step(Dice& dice) {
    switch (dice.from_to(0, 7)) {
      case 0:
        device.set_clear_to_send(!dice.one_in(4), now);
        break;
      case 1:
        pass(now + dice.from_to(0, 3000) * config.clock_period);
        break;
      case 2:
        send({update_command(static_cast<std::uint8_t>(dice.from_to(0, 15)))}, dice);
        break;
      case 3:
        send(store_block_command(256 * dice.from_to(0, 3), matrix(dice)), dice);
        break;
      case 4:
        send({static_cast<std::uint8_t>(dice.from_to(0, 255))}, dice);
        break;
      case 5:
        if (dice.one_in(20)) device.reset(now);
        break;
      default:
        send(store_instruction_command(4 * dice.from_to(0, 7), instruction(dice)), dice);
    }
    look(dice);
  }
  void persist(Archive& archive) { archive("device", device)("timer", timer.when)("now", now); }

 private:
  void pass(Picoseconds time) {
    while (timer.when <= time) {
      const Picoseconds due = timer.when;
      timer.when = kNever;
      device.fire(due);
    }
    now = time;
  }
  void send(const std::vector<std::uint8_t>& bytes, Dice& dice) {
    const Picoseconds bit = config.core_config().symbol_clocks * config.clock_period;
    const std::size_t most = dice.one_in(10) ? dice.from_to(0, 5) : bytes.size();  // a command may stay incomplete
    for (std::size_t i = 0; i < std::min(most, bytes.size()); ++i) {
      const SerialFrame frame{now, bit, static_cast<std::uint16_t>(0x100u | bytes[i]), 9};
      device.receive(frame);
      pass(frame.end() + dice.from_to(0, 3) * config.clock_period);
    }
  }
  std::vector<std::int32_t> matrix(Dice& dice) const {
    std::vector<std::int32_t> words(config.core_config().block_words());
    for (std::int32_t& word : words) word = static_cast<std::int32_t>(dice.source()());
    return words;
  }
  static std::uint32_t instruction(Dice& dice) {
    return dice.from_to(0, 3) << 18 | dice.from_to(0, 3) << 10 | dice.from_to(0, 3) << 2 |
           (dice.one_in(8) ? 0 : dice.from_to(1, 3));
  }
  void look(Dice& dice) {
    seen << now << ' ' << timer.when << ' ' << device.core().cycle() << '\n';
    if (!dice.one_in(10)) return;
    device.catch_up(now);
    seen << text_of(device.figures());
    for (const ErrataEvent& event : device.core().errata().events()) seen << to_text(event) << '\n';
    for (std::uint32_t address = 0; address < 1024; ++address) seen << device.core().memory().read(address) << ' ';
  }

  MatmulConfig config;
  RecordingTimer timer;

 public:
  std::ostringstream seen;  // before the device, which talks at once

 private:
  SerialDevice device;
  Picoseconds now = 0;
};

TEST(MatmulState, a_loaded_device_goes_on_as_the_saved_one) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    MatmulConfig config;
    config.baud = 125'000'000 / (3 + seed % 5);
    config.mesh = 1 + seed % 3;
    config.tile = 1 + seed % 2;
    config.instruction_words = 16;
    config.memory_words = 1024;
    config.tx_fifo_bytes = 8 + seed;
    config.errata = {seed % 2 == 0, seed % 3 != 0, seed % 4 != 0};
    expect_equal_after_loading([&] { return std::make_unique<Bench>(config); }, seed, 8, 40);
  }
}

}  // namespace
}  // namespace vp::matmul
