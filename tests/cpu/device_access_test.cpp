// A hart goes on behind an access that its bus has answered by a call and that has moved nothing. Beside each run
// stands the same one whose bus answers nothing at once: there every access is a transaction, and the hart stops behind
// it and looks at everything afresh. Both do the same at the same times.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "models/bus/bus.h"
#include "tests/cpu/world.h"
#include "tests/support/dice.h"
#include "tests/support/saved_state.h"
#include "tests/support/socket_modules.h"

namespace vp::cpu {
namespace {

using namespace encode;

enum class Way { calls, transactions };

/// A bus that leaves every access to be made as a transaction.
class WithoutCalls : public AccessBus {
 public:
  explicit WithoutCalls(AccessBus& bus) : bus_(bus) {}
  bool answer_at_once(const vp::Access&, Answer&) override { return false; }
  void begin(PendingAccess& pending) override { bus_.begin(pending); }
  void announce(Picoseconds next) override { bus_.announce(next); }
  void written(std::uint64_t address, unsigned size) override { bus_.written(address, size); }
  bool watched(std::uint64_t address, unsigned size) const override { return bus_.watched(address, size); }
  Picoseconds alone_until() const override { return bus_.alone_until(); }
  std::uint64_t writes_of_others() const override { return bus_.writes_of_others(); }
  bool has_occupancy() const override { return bus_.has_occupancy(); }
  unsigned bytes_per_cycle() const override { return bus_.bytes_per_cycle(); }
  Picoseconds cycle() const override { return bus_.cycle(); }

 private:
  AccessBus& bus_;
};

/// SystemC elaborates once a process, and what a kernel has to do must be the same in both ways.
std::string in_a_process(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = work();
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t written = write(ends[1], text.data() + done, text.size() - done);
      if (written <= 0) _exit(1);
      done += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; (got = read(ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return text;
}

/// The World behind a bus, with a second master that may come. What the guest asks for by a store to +8 is done by one
/// of `stirs`, and noted with the times of kernel and hart.
class BusWorld : public sc_core::sc_module {
 public:
  BusWorld(sc_core::sc_module_name module_name, Way way, const CpuConfig& config, unsigned seed)
      : sc_module(module_name),
        world("world", config,
              [this, way](World& one) {
                bus = std::make_unique<Bus>("bus", BusConfig(), one.horizon, std::vector<std::string>{"cpu", "other"},
                                            std::vector<BusWindow>{{"all", 0, std::uint64_t{1} << 32}});
                TlmInitiator& socket = one.cpu->socket;
                bus->connect_initiator("cpu", socket);
                without_calls_ = std::make_unique<WithoutCalls>(*socket.bus());
                if (way == Way::transactions) socket.set_bus(*without_calls_);
                bus->connect_target("all", one.target);
                bus->connect_initiator("other", other.socket);
              }),
        dice_(seed) {
    SC_HAS_PROCESS(BusWorld);
    SC_METHOD(planned);
    sensitive << plan_;
    dont_initialize();
    world.action = [this] { stir(); };
    world.acknowledged = [this] { world.cpu->set_mtip(false); };
    world.line.bind([this](bool level) {
      note("edge");
      world.cpu->set_meip(level);
    });
    world.cpu->on_halt([this](Halt why) {
      note("halt " + std::to_string(static_cast<int>(why)));
      if (stirs_left_ != 0)
        world.cpu->resume();
      else
        sc_core::sc_stop();
    });
    other.socket.bus()->announce(kNever);
  }

  /// Polls in loops that last for longer than a quantum, of accesses of all sizes, some of which are refused; between
  /// them stores to +8. Handlers of interrupts acknowledge them, those of exceptions pass over the instruction; both
  /// mix what they can see into a2.
  void put_program() {
    put_start(world);
    world.put(kProgram, {lui(t1, 1),       addi(t1, t1, -0x780), csrw(mie, t1),  // external and timer
                         addi(t2, 0, 150),                                       // loop
                         lw(t1, s0, 0),    add(a2, a2, t1),      lb(t1, s0, 0),  add(a2, a2, t1), ld(t1, s0, 0),
                         sd(a2, s1, 0),    lh(a3, s0, 0),        ld(a4, s1, 0),  add(a2, a2, a4), addi(t2, t2, -1),
                         bne(t2, 0, -40),  lw(t1, s0, 2),        lw(t1, s0, 16), sb(a2, s0, 32),  addi(s2, s2, 1),
                         sw(s2, s0, 8),    jal(0, -68)});
    world.put(kBase + 0x1000, {csrr(t3, mcycle), slli(t3, t3, 3), add(a2, a2, t3), csrr(t3, mepc), add(a2, a2, t3),
                               csrr(t3, mcause), b(24, 0, t3, 4),                                        // interrupt?
                               csrr(t3, mepc), addi(t3, t3, 4), csrw(mepc, t3), addi(a5, a5, 1), kMret,  // exception
                               sw(0, s0, 4), sw(0, s0, 12), addi(a6, a6, 1), kMret});
  }

  std::string run(unsigned stirs) {
    stirs_left_ = stirs;
    sc_core::sc_start();
    std::ostringstream all;
    const BusTraffic traffic = bus->traffic("cpu", "all");
    all << seen_.str() << traffic.reads << ' ' << traffic.writes << ' ' << traffic.read_bytes << ' '
        << traffic.write_bytes << '\n'
        << bus->bad_access_count() << ' ' << bus->broken_conservation() << '\n'
        << text_of(bus->figures()) << text_of(world.cpu->figures()) << save_state(world);
    return all.str();
  }

  InitiatorModule other{"other"};
  std::unique_ptr<Bus> bus;

 private:
  std::unique_ptr<WithoutCalls> without_calls_;

 public:
  World world;

 private:
  void note(const std::string& what) {
    seen_ << what << ' ' << kernel_time() << ' ' << world.cpu->core().time() << ' ' << world.cpu->core().retired()
          << '\n';
  }
  void planned() {
    note("planned");
    if (dice_.one_in(2)) world.cpu->set_mtip(true);
  }
  void set_fidelity(Fidelity fidelity) {
    world.cpu->set_fidelity(fidelity);
    bus->set_fidelity(fidelity);
  }

  void stir() {
    Cpu& cpu = *world.cpu;
    const unsigned which = stirs_left_-- == 1 ? 0 : dice_.from_to(1, 10);
    note("stir " + std::to_string(which));
    switch (which) {
      case 0:
        return cpu.request_stop();
      case 1:
        return cpu.set_mtip(true);  // in the instant of the access, by a call
      case 2:
        return world.line.push(cpu.core().time() + dice_.from_to(0, 2000) * 1000, true);
      case 3:  // who knows nothing of the horizon
        return plan_.notify(sc_core::sc_time(dice_.from_to(1, 20'000), sc_core::SC_NS));
      case 4:
        return cpu.at_boundary([this] { note("boundary"); });
      case 5:
        return set_fidelity(Fidelity::timed);
      case 6:
        return set_fidelity(Fidelity::functional);
      case 7:
        return cpu.keep_step(dice_.one_in(2));
      case 8:
        return cpu.reset();
      case 9:
        return cpu.request_stop();
      default:
        return other.socket.bus()->announce(dice_.one_in(2) ? kNever
                                                            : kernel_time() + dice_.from_to(0, 50) * 1'000'000);
    }
  }

  Dice dice_;
  unsigned stirs_left_ = 0;
  sc_core::sc_event plan_;
  std::ostringstream seen_;
};

/// (seed, quantum)
class DeviceAccess : public testing::TestWithParam<std::tuple<unsigned, Picoseconds>> {};
INSTANTIATE_TEST_SUITE_P(Of, DeviceAccess,
                         testing::Combine(testing::Range(1u, 9u), testing::Values(1'000, 777'000, 10 * kUs)));

TEST_P(DeviceAccess, by_a_call_or_a_transaction_is_the_same_run_whatever_happens_between_and_in_them) {
  const auto run = [](Way way) {
    return in_a_process([way] {
      const auto [seed, quantum] = GetParam();
      CpuConfig config;
      config.quantum = quantum;
      config.misaligned = seed % 2 == 0 ? Misaligned::kDone : Misaligned::kTrap;
      BusWorld bench("bench", way, config, seed);
      bench.put_program();
      return bench.run(60);
    });
  };
  const std::string calls = run(Way::calls), transactions = run(Way::transactions);
  EXPECT_GT(calls.size(), 10'000u);
  if (calls == transactions) return;
  std::istringstream one(calls), other(transactions);
  std::string first, second;
  unsigned line = 0;
  while (first == second && std::getline(one, first) && std::getline(other, second)) ++line;
  FAIL() << "line " << line << ": " << first << " instead of " << second;
}

}  // namespace
}  // namespace vp::cpu
