// Blocking masters that meet at a DRAM: each gets what the controller gives it, request by request, however far it runs
// ahead of the kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/tlm_time.h"
#include "models/memory/dram/dram_controller.h"
#include "models/memory/memory.h"
#include "tests/support/dice.h"
#include "tests/support/socket_modules.h"

namespace vp {
namespace {

constexpr Picoseconds kClock = 1000;
constexpr std::uint64_t kSize = 1 << 20;

struct Request {
  std::uint64_t address = 0;
  bool write = false;
  Picoseconds earliest = 0;  // it leaves then, or when the one before is over
};
using Requests = std::vector<Request>;

Requests random_requests(Dice& dice, unsigned pause) {
  Requests requests(300);
  Picoseconds time = dice.from_to(0, 100);
  for (Request& one : requests) {
    time += dice.from_to(0, pause);
    one = {std::uint64_t{dice.from_to(0, 7)} * (kSize / 8) + 64 * dice.from_to(0, 3), dice.one_in(3), time};
  }
  return requests;
}

/// Sends one after the other, and lets its local time run ahead by up to `quantum`.
class Master : public sc_core::sc_module {
 public:
  Master(sc_core::sc_module_name module_name, const Requests& requests, Picoseconds quantum)
      : sc_module(module_name), requests_(requests), quantum_(quantum) {
    SC_HAS_PROCESS(Master);
    SC_THREAD(run);
  }
  TlmInitiator socket{"socket"};
  std::vector<Picoseconds> completions;

 private:
  void run() {
    std::array<std::uint8_t, 64> bytes{};
    Picoseconds now = 0;
    for (const Request& one : requests_) {
      now = std::max(now, one.earliest);
      if (now > kernel_time() + quantum_) wait(to_sc_time(now - kernel_time()));
      if (one.write)
        socket.write(one.address, bytes.data(), 64, now);
      else
        socket.read(one.address, bytes.data(), 64, now);
      completions.push_back(now);
    }
  }
  const Requests& requests_;
  const Picoseconds quantum_;
};

struct Machine : sc_core::sc_module {
  Machine(sc_core::sc_module_name module_name, const std::vector<Requests>& requests, Picoseconds quantum)
      : sc_module(module_name),
        memory("memory", config(), kClock, 64),
        bus("bus", wide(), horizon, names(), windows()) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      masters.push_back(std::make_unique<Master>(("master" + std::to_string(i)).c_str(), requests[i], quantum));
      bus.connect_initiator(names()[i], masters.back()->socket);
    }
    bus.connect_target("memory", memory.socket);
    bus.set_fidelity(Fidelity::timed);
    memory.set_fidelity(Fidelity::timed);
  }
  static MemoryConfig config() {
    MemoryConfig config;
    config.size = kSize;
    config.channel.preset = "ddr4-2400";
    return config;
  }
  static BusConfig wide() {
    BusConfig config;
    config.clock = kClock;
    config.width = 512;
    return config;
  }
  static std::vector<std::string> names() { return {"a", "b"}; }
  static std::vector<BusWindow> windows() { return {{"memory", 0, kSize, true}}; }
  Horizon horizon;
  Memory memory;
  Bus bus;
  std::vector<std::unique_ptr<Master>> masters;
};

/// What the controller alone gives: a link that starts one access a clock, by arrival, then by number.
std::vector<std::vector<Picoseconds>> expected(const std::vector<Requests>& requests) {
  dram::DramController controller(*Machine::config().resolve_channel(), {kClock, 64});
  std::vector<std::vector<Picoseconds>> completions(requests.size());
  std::vector<Picoseconds> ready(requests.size());  // kNever: under way
  std::vector<std::size_t> next(requests.size());
  std::vector<dram::DramController::Answered> answered;
  Picoseconds free = 0;
  const auto leaves = [&](std::size_t i) {
    if (next[i] == requests[i].size() || ready[i] == kNever) return kNever;
    return std::max(ready[i], requests[i][next[i]].earliest);
  };
  for (;;) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < requests.size(); ++i)
      if (leaves(i) < leaves(first)) first = i;
    const Picoseconds event = controller.next_event();
    if (leaves(first) == kNever && event == kNever) return completions;
    if (leaves(first) > event) {
      controller.advance_to(event);
      controller.take_answered(answered);
      for (const auto& one : answered) {
        ready[one.token] = one.times.complete;
        completions[one.token].push_back(one.times.complete);
      }
      continue;
    }
    const Request& one = requests[first][next[first]++];
    const Picoseconds start = std::max(std::max(ready[first], one.earliest) + kClock, free);
    free = start + kClock;
    controller.push(first, start, one.address, 64, one.write);
    ready[first] = kNever;
  }
}

class BlockingMasters : public testing::TestWithParam<unsigned> {};

TEST_P(BlockingMasters, get_what_the_queues_give_them_at_every_quantum) {
  Dice dice(GetParam());
  const unsigned pause = GetParam() % 2 == 0 ? 1 : 200'000;  // ps
  const std::vector<Requests> requests = {random_requests(dice, pause), random_requests(dice, pause)};
  Machine exact("exact", requests, 0), ahead("ahead", requests, 1'000'000);
  sc_core::sc_start(1, sc_core::SC_MS);
  const auto completions = expected(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_EQ(completions[i].size(), requests[i].size());
    EXPECT_EQ(exact.masters[i]->completions, completions[i]) << "master " << i;
    EXPECT_EQ(ahead.masters[i]->completions, completions[i]) << "master " << i;
  }
  EXPECT_EQ(exact.memory.broken_conservation(), "");
  EXPECT_EQ(ahead.bus.broken_conservation(), "");
}

INSTANTIATE_TEST_SUITE_P(Seeds, BlockingMasters, testing::Range(1u, 9u));

}  // namespace
}  // namespace vp
