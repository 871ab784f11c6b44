// Function and time of the AXI DMA, register by register, against a port with a memory and the ends of its streams.
#include "models/axidma/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "tests/support/dice.h"
#include "tests/support/port_bench.h"

namespace vp {
namespace {

using axidma::AxiDmaConfig;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

enum Offset : unsigned { MM2S = 0x00, S2MM = 0x30, DMACR = 0x00, DMASR = 0x04, ADDRESS = 0x18, LENGTH = 0x28 };
enum Bit : unsigned {
  kRun = 1u << 0,
  kReset = 1u << 2,
  kHalted = 1u << 0,
  kIdle = 1u << 1,
  kIntErr = 1u << 4,
  kSlvErr = 1u << 5,
  kDecErr = 1u << 6,
  kIoc = 1u << 12,
  kErr = 1u << 14,
};
constexpr std::uint32_t kThreshold = 0x00010000;

/// Takes whatever comes at once, or only when it is told to.
class CollectingSink : public StreamSink {
 public:
  void connect(StreamSource& source) override { source_ = &source; }
  void offered(Picoseconds now) override {
    if (patient) return;
    take(source_->available(), now);
  }
  void take(std::size_t count, Picoseconds when) {
    std::vector<std::uint8_t> bytes(count);
    if (count > 0) source_->take(bytes.data(), count, when);
    taken.insert(taken.end(), bytes.begin(), bytes.end());
  }
  StreamSource& source() { return *source_; }

  bool patient = false;
  std::vector<std::uint8_t> taken;

 private:
  StreamSource* source_ = nullptr;
};

/// Time goes from event to event.
struct AxiDmaBench : PortBench<axidma::Core, AxiDmaConfig, InterruptLine[2]> {
  explicit AxiDmaBench(const AxiDmaConfig& config = {})
      : PortBench(config, 1 << 16, {config.clock, config.word_bytes(), 60'000, config.outstanding}) {
    core.mm2s().connect(sink);
    sink.connect(core.mm2s());
    std::iota(port.memory.begin(), port.memory.end(), std::uint8_t{1});
  }
  void start(unsigned channel, std::uint32_t address, std::uint32_t bytes, std::uint32_t control = kRun) {
    write(channel + DMACR, control);
    write(channel + ADDRESS, address);
    write(channel + LENGTH, bytes);
  }
  CollectingSink sink;
};

std::vector<std::uint8_t> bytes_from(const AxiDmaBench& bench, std::uint64_t address, std::uint64_t count) {
  const auto from = bench.port.memory.begin() + static_cast<std::ptrdiff_t>(address);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

TEST(AxiDmaRegisters, hold_the_manuals_values_after_a_reset) {
  AxiDmaBench bench;
  for (unsigned channel : {MM2S, S2MM}) {
    EXPECT_EQ(bench.read(channel + DMACR), kThreshold | 2);
    EXPECT_EQ(bench.read(channel + DMASR), kThreshold | kHalted);
    EXPECT_EQ(bench.read(channel + LENGTH), 0u);
  }
  EXPECT_EQ(bench.core.describe(0x48), "S2MM_DA");
}

TEST(AxiDmaMm2s, streams_every_size_and_alignment_to_bursts) {
  Dice dice(3);
  for (unsigned round = 0; round < 200; ++round) {
    AxiDmaConfig config;
    config.data_width = dice.power_of_two(32, 5);
    config.max_burst = dice.power_of_two(2, 7);
    config.outstanding = dice.from_to(1, 6);
    AxiDmaBench bench(config);
    const std::uint32_t address = dice.from_to(0, 900) * config.word_bytes() % 8192, bytes = dice.from_to(1, 20'000);
    bench.start(MM2S, address, bytes);
    bench.run();
    EXPECT_EQ(bench.sink.taken, bytes_from(bench, address, bytes));
    EXPECT_EQ(bench.read(MM2S + DMASR), kThreshold | kIdle | kIoc);
    EXPECT_EQ(bench.core.broken_conservation(), "");
  }
}

TEST(AxiDmaMm2s, is_idle_only_after_its_first_transfer_and_once_the_last_byte_has_been_taken) {
  AxiDmaBench bench;
  bench.sink.patient = true;
  bench.write(MM2S + DMACR, kRun | kIoc);
  EXPECT_EQ(bench.read(MM2S + DMASR) & (kIdle | kHalted), 0u);
  bench.start(MM2S, 0, 100, kRun | kIoc);
  bench.run(20);
  EXPECT_EQ(bench.sink.source().available(), 100u);
  bench.sink.take(99, bench.port.now());
  bench.run(20);
  EXPECT_EQ(bench.read(MM2S + DMASR) & (kIdle | kIoc), 0u);
  EXPECT_FALSE(bench.lines[0].level());
  bench.sink.take(1, bench.port.now());
  bench.run(20);
  EXPECT_EQ(bench.read(MM2S + DMASR) & (kIdle | kIoc), kIdle | kIoc);
  EXPECT_TRUE(bench.lines[0].level());
  bench.write(MM2S + DMASR, kIoc);
  EXPECT_FALSE(bench.lines[0].level());
}

TEST(AxiDmaMm2s, reads_no_more_than_its_buffer_holds) {
  AxiDmaConfig config;
  config.outstanding = 3;
  AxiDmaBench bench(config);
  bench.sink.patient = true;
  bench.start(MM2S, 0, 20'000);
  bench.run(4000);
  EXPECT_THAT(bench.port.log, SizeIs(3));
  EXPECT_EQ(bench.sink.source().available(), 3u * 2048);
  bench.sink.take(2048, bench.port.now());
  bench.run(4000);
  EXPECT_THAT(bench.port.log, SizeIs(4));
}

TEST(AxiDmaMm2s, an_error_halts_the_channel_until_a_reset) {
  AxiDmaBench bench;
  bench.start(MM2S, 0x20000, 100, kRun | kErr);
  bench.run();
  EXPECT_EQ(bench.read(MM2S + DMASR), kThreshold | kHalted | kDecErr | kErr);
  EXPECT_EQ(bench.read(MM2S + DMACR) & kRun, 0u);
  EXPECT_TRUE(bench.lines[0].level());
  bench.start(MM2S, 0, 100);
  bench.run();
  EXPECT_TRUE(bench.sink.taken.empty());
  EXPECT_THAT(bench.core.findings()[0].text, HasSubstr("MM2S_LENGTH was written 1 time while the channel was halted"));
  bench.write(MM2S + DMACR, kReset);
  EXPECT_NE(bench.read(MM2S + DMACR) & kReset, 0u);
  bench.run();
  EXPECT_EQ(bench.read(MM2S + DMACR), kThreshold | 2);
  bench.start(MM2S, 0, 100);
  bench.run();
  EXPECT_THAT(bench.sink.taken, SizeIs(100));
}

TEST(AxiDmaMm2s, a_reset_in_the_middle_drops_the_rest) {
  AxiDmaBench bench;
  bench.sink.patient = true;
  bench.start(MM2S, 0, 20'000);
  bench.run(3);
  bench.write(S2MM + DMACR, kReset);
  bench.run();
  EXPECT_EQ(bench.sink.source().available(), 0u);
  EXPECT_EQ(bench.read(MM2S + DMASR), kThreshold | kHalted);
  EXPECT_EQ(bench.core.figures().mm2s.cancelled, 1u);
}

TEST(AxiDmaMm2s, zero_bytes_start_nothing_and_a_start_while_busy_is_a_finding) {
  AxiDmaBench bench;
  bench.start(MM2S, 0, 0);
  bench.run();
  EXPECT_EQ(bench.read(MM2S + DMASR) & (kIdle | kIoc), 0u);
  bench.start(MM2S, 0, 100);
  bench.write(MM2S + LENGTH, 50);
  bench.run();
  EXPECT_THAT(bench.sink.taken, SizeIs(100));
  EXPECT_THAT(bench.core.findings(), SizeIs(1));
}

TEST(AxiDmaS2mm, stores_a_packet_and_says_how_long_it_was) {
  AxiDmaBench bench;
  bench.start(S2MM, 0x4000, 5000, kRun | kIoc);
  const std::vector<std::uint8_t> packet(3001, 0x5A);
  EXPECT_EQ(bench.core.s2mm().put(packet.data(), 2500, false, bench.port.now()), 2500u);
  bench.run(10);
  EXPECT_EQ(bench.read(S2MM + DMASR) & kIdle, 0u);
  EXPECT_EQ(bench.core.s2mm().put(packet.data(), 501, true, bench.port.now()), 501u);
  bench.run();
  EXPECT_EQ(bench.read(S2MM + DMASR), kThreshold | kIdle | kIoc);
  EXPECT_EQ(bench.read(S2MM + LENGTH), 3001u);
  EXPECT_TRUE(bench.lines[1].level());
  EXPECT_EQ(bytes_from(bench, 0x4000, 3001), packet);
}

TEST(AxiDmaS2mm, takes_nothing_without_a_transfer_and_reports_a_packet_that_is_too_long) {
  AxiDmaBench bench;
  const std::vector<std::uint8_t> packet(100, 1);
  EXPECT_EQ(bench.core.s2mm().put(packet.data(), 100, true, 0), 0u);
  bench.start(S2MM, 0x4000, 64);
  EXPECT_EQ(bench.core.s2mm().put(packet.data(), 100, true, bench.port.now()), 64u);
  bench.run();
  EXPECT_EQ(bench.read(S2MM + DMASR), kThreshold | kHalted | kIntErr | kErr);
  EXPECT_EQ(bench.core.figures().s2mm.lost, 136u);
}

TEST(AxiDmaState, goes_on_in_the_middle_of_a_stream) {
  AxiDmaBench bench, copy;
  bench.sink.patient = copy.sink.patient = true;
  bench.start(MM2S, 0, 6000);
  bench.run(40);
  bench.sink.take(100, bench.port.now());
  load_state(copy.core, save_state(bench.core));
  EXPECT_EQ(state_difference(copy.core, save_state(bench.core)), "");
  const std::size_t rest = copy.sink.source().available();
  copy.sink.take(rest, bench.port.now());
  EXPECT_EQ(copy.sink.taken, bytes_from(bench, 100, rest));
}

TEST(AxiDmaConfig, that_cannot_be_is_one_sentence) {
  AxiDmaConfig config;
  config.data_width = 96;
  EXPECT_THROW(config.check("dma"), UserError);
}

TEST(AxiDma, tells_what_its_channels_do) {
  AxiDmaBench bench;
  EXPECT_THAT(bench.core.work(), ElementsAre(HasSubstr("MM2S: halted, 0 bytes"), HasSubstr("S2MM: halted, ")));
  bench.sink.patient = true;
  bench.start(MM2S, 0, 512);
  bench.start(S2MM, 0x4000, 256);
  EXPECT_THAT(bench.core.work(), ElementsAre(HasSubstr("MM2S: a transfer is under way, 512 bytes to be taken"),
                                             HasSubstr("room for 256 bytes more")));
}

}  // namespace
}  // namespace vp
