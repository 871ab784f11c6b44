#include <gtest/gtest.h>

#include "tests/support/saved_state.h"
#include "tests/uart/uart_fixture.h"

namespace vp {
namespace {

enum class Far { none, console, timed_console, line };

struct Bench {
  explicit Bench(Far far_side) : far(far_side), uart(UartFixture::config(far_side == Far::timed_console), timer) {
    if (far == Far::line) uart.connect(line);
    if (far == Far::console || far == Far::timed_console) uart.connect(console);
  }
  void step(Dice& dice) {
    pass(bus.now + dice.from_to(0, 60'000'000));
    switch (dice.from_to(0, 7)) {
      case 0:
        frame(dice);
        break;
      case 1:
        if (far == Far::line) uart.set_clear_to_send(dice.one_in(2), bus.now);
        break;
      case 2:
        bus.write(kLcr, dice.one_in(3) ? dice.from_to(0, 255) : 3, 1);
        break;
      case 3:
        bus.write(dice.from_to(0, 7), dice.from_to(0, 255), 1);
        break;
      case 4:
        bus.write(dice.from_to(1, 2), dice.from_to(0, 15) | 1, 1);
        break;
      case 5:
        if (dice.one_in(30)) uart.reset(bus.now);
        break;
      default:
        bus.write(kThr, dice.from_to(0, 255), 1);
    }
    if (dice.one_in(10)) set_divisor(dice.from_to(0, 3));
    look(dice);
  }
  void persist(Archive& archive) {
    archive("uart", uart)("timer", timer.when)("now", bus.now)("frame_end", frame_end)("input", console.input);
  }

 private:
  void pass(Picoseconds time) {
    while (timer.when <= time) {
      const Picoseconds due = timer.when;
      timer.when = kNever;
      uart.timer_due(due);
    }
    bus.now = time;
  }
  void frame(Dice& dice) {
    if (dice.one_in(2)) {
      console.input.push_back(static_cast<char>(dice.from_to(0, 255)));
      uart.input_arrived(bus.now);
    }
    if (far != Far::line || frame_end > bus.now) return;
    SerialFrame frame;
    frame.start = bus.now;
    frame.bit_time = dice.from_to(1, 2) * 10'000'000;
    frame.symbols = static_cast<std::uint16_t>(0x100 | dice.from_to(0, 0x1FF));
    frame.count = 9;
    frame_end = frame.end();
    uart.receive(frame);
  }
  void set_divisor(unsigned divisor) {
    const auto lcr_value = bus.peek(kLcr, 1);
    bus.write(kLcr, lcr_value | 0x80, 1);
    bus.write(kDll, divisor, 1);
    bus.write(kLcr, lcr_value & 0x3F, 1);
  }
  void look(Dice& dice) {
    if (dice.one_in(2)) seen << bus.read(dice.from_to(0, 7), 1) << '\n';
    for (const RegisterListing& entry : uart.registers().list(bus.now)) seen << ' ' << entry.value;
    seen << '\n' << timer.when << ' ' << uart.interrupt.level() << console.output << '\n';
    for (const SerialFrame& sent : line.frames) seen << sent.start << ' ' << sent.symbols << ' ' << sent.count << ';';
    for (const auto& [when, ready] : line.ready_changes) seen << when << ready;
    seen << text_of(uart.figures());
    console.output.clear();
    line.frames.clear();
    line.ready_changes.clear();
  }

  Far far;
  RecordingTimer timer;
  RecordingLine line;
  TextConsole console;
  UartCore uart;
  RegisterAccess bus{uart};
  Picoseconds frame_end = 0;

 public:
  std::ostringstream seen;
};

TEST(UartState, a_loaded_uart_goes_on_as_the_saved_one) {
  for (const Far far : {Far::none, Far::console, Far::timed_console, Far::line})
    for (unsigned seed = 0; seed < 20; ++seed)
      expect_equal_after_loading([&] { return std::make_unique<Bench>(far); }, seed, 10, 60);
}

TEST(UartState, a_state_of_a_uart_without_times_does_not_fit_one_with_times) {
  Bench untimed(Far::console), timed(Far::timed_console);
  EXPECT_THROW(load_state(timed, save_state(untimed)), std::runtime_error);
}

}  // namespace
}  // namespace vp
