// Masters of every kind in every topology, order, mode and at every quantum (tests/support/any_master.h).
#include "tests/support/any_master.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/scripted_master.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

/// A pipelined DMA as one writes it first: a read every bus cycle with the plain blocking call, a thread for each under
/// way, each with a local time of its own.
class NaiveDma : public sc_core::sc_module {
 public:
  explicit NaiveDma(sc_core::sc_module_name module_name) : sc_module(module_name) {
    for (unsigned thread = 0; thread < kThreads; ++thread) sc_core::sc_spawn([this, thread] { run(thread); });
  }
  TlmInitiator socket{"socket"};
  Picoseconds latency_sum = 0, last = 0;

 private:
  static constexpr unsigned kThreads = 8, kReads = 40;
  void run(unsigned thread) {
    std::uint8_t data[64];
    Picoseconds now = thread * 10'000;
    for (unsigned i = 0; i < kReads; ++i) {
      const Picoseconds issued = now;
      const AccessResult result =
          socket.read(MasterTrial::kMemory + 64 * (i * kThreads + thread), data, sizeof data, now);
      if (result != AccessResult::ok) SC_REPORT_FATAL(name(), "a read failed");
      latency_sum += now - issued;
      last = std::max(last, now);
      now += 5'000;
    }
  }
};

TEST(AnyMaster, a_naive_pipelined_dma_does_the_same_everywhere) {
  expect_same_everywhere([](MasterTrial& trial) {
    auto dma = std::make_unique<NaiveDma>((trial.name() + "_dma").c_str());
    trial.bus().connect_initiator("master", dma->socket);
    trial.keep(std::move(dma), [](const NaiveDma& one) {
      return std::to_string(one.latency_sum) + ", last at " + std::to_string(one.last);
    });
  });
}

TEST(AnyMaster, one_that_overlaps_and_copies_does_the_same_everywhere) {
  expect_same_everywhere([](MasterTrial& trial) {
    auto dma = std::make_unique<ScriptedMaster>((trial.name() + "_dma").c_str());
    trial.bus().connect_initiator("master", dma->port);
    auto buffer = std::make_shared<std::vector<std::uint8_t>>(16384);
    ScriptedMaster* const one = dma.get();
    one->then = [one, buffer](MasterPort::Tag tag) {
      if (tag < 40)
        one->port.write(MasterTrial::kMemory + MasterTrial::kSize + 400 * tag, buffer->data() + 400 * tag, 400,
                        100 + tag);
    };
    for (unsigned i = 0; i < 40; ++i)
      one->port.read(MasterTrial::kMemory + 400 * i, buffer->data() + 400 * i, 400, i, i < 20 ? 0 : 15'000'000);
    trial.keep(std::move(dma), [](const ScriptedMaster& master) {
      std::string text;
      for (const auto& [tag, time] : master.completions) text += std::to_string(tag) + "@" + std::to_string(time) + " ";
      return text;
    });
  });
}

TEST(AnyMaster, a_local_time_behind_the_kernels_is_one_sentence_with_the_times_and_the_remedy) {
  MasterTrial trial("trial", {BusTopology::crossbar, BusOrder::shared, Fidelity::timed, 1'000}, "fixed");
  InitiatorModule master("master");
  trial.bus().connect_initiator("master", master.socket);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  std::string sentence;
  simulate([&] {
    sc_core::wait(1, sc_core::SC_US);
    std::uint8_t byte = 0;
    Picoseconds stale = 400'000;
    try {
      master.socket.read(MasterTrial::kMemory, &byte, 1, stale);
    } catch (const sc_core::sc_report& report) {
      sentence = report.get_msg();
    }
  });
  EXPECT_THAT(sentence, testing::HasSubstr("400000 ps, but the kernel is at 1000000 ps"));
  EXPECT_THAT(sentence, testing::HasSubstr("OverlappingMaster"));
}

}  // namespace
}  // namespace vp
