// The hart with caches in timed mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/common/error.h"
#include "models/cpu/core.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr std::uint64_t kData = kBase + 0x10'0000;
constexpr Picoseconds kLine = 100'000;  // TestMachine::line_latency

/// Instruction and data cache of two sets and two ways each.
CpuConfig small_caches() {
  CpuConfig config;
  config.icache.size = config.dcache.size = 256;
  config.icache.ways = config.dcache.ways = 2;
  return config;
}

struct Timed : TestMachine {
  explicit Timed(const CpuConfig& config) : TestMachine(config) { core->set_fidelity(Fidelity::timed); }
};

/// lui and addi cannot make kData on RV64 without a sign, so it is made from pc.
constexpr std::uint32_t kDataInS0 = auipc(s0, 0x100);

// ---- single accesses ----

TEST(CachedCore, MissTakesTheTimeOfItsLineAndAHitNone) {
  Timed machine(small_caches());
  machine.put32(kBase, {kDataInS0, lw(a0, s0, 0), lw(a0, s0, 60), ld(a0, s0, 8), kWfi});
  EXPECT_EQ(machine.run_to_end(), Stop::kWaitForInterrupt);
  ASSERT_EQ(machine.transfers.size(), 2u);
  EXPECT_EQ(machine.transfers[0].address, kBase);
  EXPECT_EQ(machine.transfers[0].size, 64u);
  EXPECT_EQ(machine.transfers[0].start, 0u);
  EXPECT_EQ(machine.transfers[1].address, kData);
  EXPECT_EQ(machine.transfers[1].start, kLine + kCycle);
  EXPECT_EQ(machine.core->time(), 5 * kCycle + 2 * kLine);
  const CpuTimes times = machine.core->times();
  EXPECT_EQ(times.fetch_miss, kLine);
  EXPECT_EQ(times.load_miss, kLine);
  EXPECT_EQ(times.busy, 5 * kCycle);
  const CacheFigures figures = machine.core->cache_figures();
  EXPECT_EQ(figures.fetches, 5u);
  EXPECT_EQ(figures.missed_fetches, 1u);
  EXPECT_EQ(figures.data->read_hits(), 2u);
  EXPECT_EQ(figures.data->read_misses(), 1u);
}

TEST(CachedCore, HitCyclesAreAddedToEveryCachedAccess) {
  CpuConfig config = small_caches();
  config.dcache.hit_cycles = 3;
  Timed machine(config);
  machine.put32(kBase, {kDataInS0, lw(a0, s0, 0), lw(a0, s0, 4), sw(a0, s0, 8), sw(a0, s0, 12), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->time(), (6 + 4 * 3) * kCycle + 2 * kLine);
  EXPECT_EQ(machine.core->times().cache_hit, 4 * 3 * kCycle);
}

TEST(CachedCore, DirtyLineIsWrittenBackBehindTheFillAndNobodyWaitsForIt) {
  Timed machine(small_caches());
  machine.put32(kBase, {kDataInS0, sw(a0, s0, 0), lw(a0, s0, 128), lw(a0, s0, 256), kNop, kWfi});
  machine.run_to_end();
  ASSERT_EQ(machine.transfers.size(), 5u);
  const TestMachine::Transfer& fill = machine.transfers[3];
  const TestMachine::Transfer& write = machine.transfers[4];
  EXPECT_EQ(fill.address, kData + 256);
  EXPECT_TRUE(write.write);
  EXPECT_EQ(write.address, kData);
  EXPECT_EQ(write.size, 64u);
  EXPECT_EQ(write.start, fill.start + kLine);
  EXPECT_EQ(machine.core->time(), 6 * kCycle + 4 * kLine);
}

TEST(CachedCore, SecondWriteBackWaitsForTheFirst) {
  Timed machine(small_caches());
  // Both ways of a set dirty; two misses after each other evict them.
  machine.put32(kBase, {kDataInS0, sw(a0, s0, 0), sw(a0, s0, 128), lw(a0, s0, 256), lw(a0, s0, 384), kWfi});
  machine.run_to_end();
  const CpuTimes times = machine.core->times();
  EXPECT_EQ(times.write_back, kLine - kCycle) << "the second miss comes a cycle after the write-back has started";
  EXPECT_EQ(times.store_miss, 2 * kLine);
  EXPECT_EQ(times.load_miss, 2 * kLine);
}

TEST(CachedCore, WithoutAWriteBufferTheHartWaitsForTheWriteItself) {
  CpuConfig config = small_caches();
  config.dcache.write_buffer = false;
  Timed machine(config);
  machine.put32(kBase, {kDataInS0, sw(a0, s0, 0), lw(a0, s0, 128), lw(a0, s0, 256), kNop, kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->times().write_back, kLine);
  EXPECT_EQ(machine.core->time(), 6 * kCycle + 5 * kLine);
}

TEST(CachedCore, WriteThroughStoresGoToMemory) {
  CpuConfig config = small_caches();
  config.dcache.write_policy = WritePolicy::kThrough;
  config.dcache.write_allocate = false;
  Timed machine(config);
  machine.put32(kBase, {kDataInS0, addi(a0, 0, 77), sd(a0, s0, 8), lw(a1, s0, 8), sw(a0, s0, 4), kWfi});
  machine.run_to_end();
  ASSERT_EQ(machine.transfers.size(), 4u);
  EXPECT_TRUE(machine.transfers[1].write);
  EXPECT_EQ(machine.transfers[1].address, kData + 8);
  EXPECT_EQ(machine.transfers[1].size, 8u);
  EXPECT_FALSE(machine.transfers[2].write);
  EXPECT_EQ(machine.transfers[3].size, 4u);
  EXPECT_EQ(machine.core->x(a1), 77u);
  EXPECT_EQ(machine.word(kData + 8), 77u);
}

TEST(CachedCore, DevicesAreNotCached) {
  Timed machine(small_caches());
  unsigned reads = 0;
  machine.device = [&](bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& time) {
    if (write || address != 0x4000'0000) return false;
    std::memset(data, 0, size);
    *static_cast<std::uint8_t*>(data) = static_cast<std::uint8_t>(++reads);
    time += 55'000;
    return true;
  };
  machine.put32(kBase, {lui(s0, 0x40000), lw(a0, s0, 0), lw(a1, s0, 0), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->x(a1), 2u);
  EXPECT_EQ(machine.core->times().bus, 110'000u);
}

TEST(CachedCore, MemoryThatIsNotCacheableIsAccessedAsInFunctionalMode) {
  Timed machine(small_caches());
  machine.allow_contents = false;
  machine.latency = 7'000;
  machine.put32(kBase, {kDataInS0, lw(a0, s0, 0), lw(a0, s0, 0), kWfi});
  machine.run_to_end();
  EXPECT_TRUE(machine.transfers.empty());
  EXPECT_EQ(machine.core->time(), 4 * kCycle + 14'000);
  EXPECT_EQ(machine.core->times().memory, 14'000u);
}

TEST(CachedCore, WithoutCachesCodeComesABusWordAtATimeAndDataAreUncached) {
  CpuConfig config;
  config.icache.present = config.dcache.present = false;
  Timed machine(config);
  machine.latency = 7'000;
  machine.put32(kBase, {kDataInS0, lw(a0, s0, 0), kNop, kWfi});
  machine.run_to_end();
  ASSERT_EQ(machine.transfers.size(), 2u);
  EXPECT_EQ(machine.transfers[1].address, kBase + 8);
  EXPECT_EQ(machine.transfers[1].size, 8u);
  EXPECT_EQ(machine.core->time(), 4 * kCycle + 2 * kLine + 7'000);
}

TEST(CachedCore, InstructionAcrossLinesNeedsBothEvenIfTheCacheHoldsOne) {
  CpuConfig config;
  config.icache.present = false;
  Timed machine(config);
  const std::uint16_t c_nop = 1;
  machine.put(kBase, &c_nop, 2);
  machine.put32(kBase + 2, {addi(a0, a0, 1), addi(a0, a0, 1), addi(a0, a0, 1), kWfi});
  EXPECT_EQ(machine.run_to_end(kCycle * 1000), Stop::kWaitForInterrupt);
  EXPECT_EQ(machine.core->x(a0), 3u);
  EXPECT_EQ(machine.core->cache_figures().instruction->fills(), 3u);
}

TEST(CachedCore, FetchWhoseInstructionIsNotExecutedIsNoMissedInstruction) {
  Timed machine(small_caches());
  machine.put32(kBase, {addi(a0, 0, 1), kWfi});
  EXPECT_EQ(machine.core->run(kLine / 2), Stop::kAccess) << "after the line has come";
  EXPECT_EQ(machine.core->cache_figures().fetches, 0u);
  EXPECT_EQ(machine.core->cache_figures().missed_fetches, 0u);
  machine.run_to_end();
  EXPECT_EQ(machine.core->cache_figures().fetches, 2u);
  EXPECT_EQ(machine.core->cache_figures().missed_fetches, 1u);
}

// ---- what empties caches ----

TEST(CachedCore, FenceIEmptiesTheInstructionCacheOnly) {
  Timed machine(small_caches());
  machine.put32(kBase, {kDataInS0, lw(a0, s0, 0), kFenceI, lw(a0, s0, 0), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.core->cache_figures().missed_fetches, 2u);
  EXPECT_EQ(machine.core->cache_figures().data->read_misses(), 1u);
}

TEST(CachedCore, ResetEmptiesBothWithoutWritingBack) {
  Timed machine(small_caches());
  machine.put32(kBase, {kDataInS0, sw(a0, s0, 0), kWfi});
  machine.run_to_end();
  machine.core->reset();
  machine.run_to_end();
  EXPECT_EQ(machine.transfers.size(), 4u);
  EXPECT_EQ(machine.core->cache_figures().data->write_misses(), 2u);
  EXPECT_EQ(machine.core->cache_figures().data->write_backs(), 0u);
}

TEST(CachedCore, ProtectionHoldsForLinesThatAreInTheCache) {
  Timed machine(small_caches());
  // User mode may read and execute everything. Machine mode makes the line dirty, then accesses it as user mode (MPRV).
  machine.put32(kBase, {kDataInS0, auipc(t0, 1), csrw(mtvec, t0), addi(t0, 0, -1), csrw(pmpaddr0, t0),
                        addi(t0, 0, 0x1d), csrw(pmpcfg0, t0), sw(t0, s0, 0), lui(t1, 0x20), csrrs(0, mstatus, t1),
                        lw(a0, s0, 0), sw(0, s0, 0), kNop});
  machine.put32(kBase + 0x1004, {kWfi});
  EXPECT_EQ(machine.run_to_end(), Stop::kWaitForInterrupt);
  EXPECT_EQ(machine.csr(mcause), 7u);
  EXPECT_EQ(machine.csr(mtval), kData);
  EXPECT_EQ(machine.core->x(a0), 0x1du);
  EXPECT_EQ(machine.word(kData), 0x1du);
}

// ---- changing mode ----

TEST(CachedCore, FidelityChangesAtTheInstructionBehindTheOneThatAsks) {
  TestMachine machine(small_caches());
  machine.device = [&](bool write, std::uint64_t address, void* data, unsigned, Picoseconds&) {
    if (!write || address != 0x4000'0000) return false;
    const bool timed = *static_cast<std::uint8_t*>(data) != 0;
    machine.core->set_fidelity(timed ? Fidelity::timed : Fidelity::functional);
    return true;
  };
  machine.put32(kBase, {lui(s1, 0x40000), auipc(s0, 0x100), addi(a0, 0, 1), lw(a1, s0, 0), sw(a0, s1, 0), lw(a1, s0, 0),
                        lw(a1, s0, 4), sw(0, s1, 0), lw(a1, s0, 0), lw(a1, s0, 64), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.transfers.size(), 2u) << "the code's line and one of data";
  EXPECT_EQ(machine.core->cache_figures().fetches, 3u);
  EXPECT_EQ(machine.core->cache_figures().data->read_hits(), 1u);
  EXPECT_EQ(machine.core->fidelity(), Fidelity::functional);
  EXPECT_EQ(machine.core->time(), 11 * kCycle + 2 * kLine);
}

TEST(CachedCore, FetchWhoseInstructionIsExecutedInFunctionalModeServesNoLaterOne) {
  Timed machine(small_caches());
  machine.put32(kBase, {addi(a0, a0, 1), kFenceI, jal(0, -8)});
  EXPECT_EQ(machine.core->run(kLine), Stop::kAccess) << "after the line has come";
  machine.core->set_fidelity(Fidelity::functional);
  machine.core->run(kLine + 3 * kCycle);
  ASSERT_EQ(machine.core->pc(), kBase);
  machine.core->set_fidelity(Fidelity::timed);
  EXPECT_EQ(machine.core->run(kLine + 4 * kCycle), Stop::kAccess) << "the line is no longer there";
  EXPECT_EQ(machine.core->x(a0), 1u);
  EXPECT_EQ(machine.transfers.size(), 2u);
  EXPECT_EQ(machine.core->cache_figures().missed_fetches, 0u);
  machine.core->run(2 * kLine + 4 * kCycle);
  EXPECT_EQ(machine.core->x(a0), 2u);
  EXPECT_EQ(machine.core->cache_figures().fetches, 1u);
  EXPECT_EQ(machine.core->cache_figures().missed_fetches, 1u);
}

TEST(CachedCore, ImpossibleCachesAreRefused) {
  CpuConfig config;
  config.dcache.ways = 3;
  EXPECT_THROW(TestMachine{config}, UserError);
}

// ---- random programs, against a model that goes instruction by instruction ----

/// Code and how long it takes: loads, stores and atomics of all sizes and alignments over some KiB, arithmetic, jumps
/// over gaps, compressed instructions in between so that others lie across lines.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {
    word(kDataInS0);
    word(addi(s1, s0, 0));
    word(addi(s3, 0, 8));  // rounds
    const std::size_t top = code_.size();
    for (unsigned i = 1; i < 8; ++i) word(addi(a0 + i % 8, 0, static_cast<std::int32_t>(random_() % 2048)));
    for (int i = 0; i < 300; ++i) step();
    word(addi(s3, s3, -1));
    word(beq(s3, 0, 8));
    word(jal(0, -static_cast<std::int32_t>(2 * (code_.size() - top))));
    word(kWfi);
  }
  void load(TestMachine& machine) const { machine.put(kBase, code_.data(), 2 * code_.size()); }

 private:
  unsigned reg() { return a0 + random_() % 6; }
  void word(std::uint32_t encoding) {
    code_.push_back(static_cast<std::uint16_t>(encoding));
    code_.push_back(static_cast<std::uint16_t>(encoding >> 16));
  }
  void step() {
    const unsigned kind = random_() % 16;
    const auto offset = static_cast<std::int32_t>(random_() % 2048);
    if (kind < 4) return word(addi(reg(), reg(), offset));
    if (kind < 6) return word(add(reg(), reg(), reg()));
    if (kind < 8) return code_.push_back(0x0001);  // c.nop
    if (kind == 8) {                               // another base address
      word(i(0x7ff, reg(), 7, t0, 0x13));          // andi
      word(slli(t0, t0, 1));
      return word(add(s1, s0, t0));
    }
    if (kind == 9) {
      const unsigned gap = random_() % 100;
      word(jal(0, static_cast<std::int32_t>(4 + 2 * gap)));
      code_.insert(code_.end(), gap, 0);
      return;
    }
    if (kind == 10) {
      word(beq(reg(), reg(), 8));
      return word(addi(reg(), reg(), 1));
    }
    if (kind == 11) {
      word(i(-8, s1, 7, t1, 0x13));
      return word(amo(0, reg(), t1, reg(), random_() % 2 ? 8 : 4));
    }
    const unsigned base = random_() % 2 ? s0 : s1;
    const std::uint32_t access[] = {lb(reg(), base, offset), lw(reg(), base, offset), ld(reg(), base, offset),
                                    sb(reg(), base, offset), sw(reg(), base, offset), sd(reg(), base, offset)};
    word(access[random_() % 6]);
  }

  std::mt19937 random_;
  std::vector<std::uint16_t> code_;
};

/// Times of a run as a list of executed instructions gives them, caches looked up for every single access.
class Oracle {
 public:
  explicit Oracle(const CpuConfig& config) : config_(config), icache_(config.icache), dcache_(config.dcache) {}

  void execute(const TraceRecord& record) {
    bool missed = false;
    for (const std::uint64_t address : {record.pc, record.pc + record.length - 1})
      if (!icache_.access(address, false).hit) {
        now += kLine;
        missed = true;
      }
    missed_fetches += missed;
    const unsigned opcode = record.encoding & 0x7f, size = 1u << (record.encoding >> 12 & 3);
    if (record.length == 4 && opcode == 0x03) access(false, record.address, size);
    if (record.length == 4 && opcode == 0x23) access(true, record.address, size);
    if (record.length == 4 && opcode == 0x2f) {
      access(false, record.address, size);
      access(true, record.address, size);
    }
    now += kCycle;
  }

  Picoseconds now = 0;
  std::uint64_t missed_fetches = 0;
  const Cache& data() const { return dcache_; }

 private:
  void access(bool write, std::uint64_t address, unsigned size) {
    const auto room = static_cast<unsigned>(8 - address % 8);
    part(write, address);
    if (address % size != 0 && room < size) part(write, address + room);
  }
  void part(bool write, std::uint64_t address) {
    const Cache::Outcome needs = dcache_.access(address, write);
    now += config_.dcache.hit_cycles * config_.clock;
    if (needs.victim != Cache::kNoLine) now = std::max(now, buffer_free_);
    if (needs.fill) now += kLine;
    if (needs.victim != Cache::kNoLine) send();
    if (!needs.write_memory) return;
    now = std::max(now, buffer_free_);
    send();
  }
  void send() {
    buffer_free_ = now + kLine;
    if (!config_.dcache.write_buffer) now = buffer_free_;
  }

  const CpuConfig config_;
  Cache icache_;
  Cache dcache_;
  Picoseconds buffer_free_ = 0;
};

CpuConfig random_caches(unsigned seed) {
  std::mt19937 random(seed);
  CpuConfig config;
  for (CacheConfig* cache : {&config.icache, &config.dcache}) {
    cache->line = 32u << random() % 3;
    cache->ways = 1 + random() % 4;
    cache->size = std::uint64_t{cache->line} * cache->ways << random() % 5;
    cache->replacement = random() % 3 ? Replacement::kLru : Replacement::kRandom;
  }
  config.dcache.write_policy = random() % 4 ? WritePolicy::kBack : WritePolicy::kThrough;
  config.dcache.write_allocate = random() % 4 != 0;
  config.dcache.hit_cycles = random() % 3;
  config.dcache.write_buffer = random() % 4 != 0;
  return config;
}

class RandomPrograms : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(1u, 41u));

void expect_same_state(const TestMachine& a, const TestMachine& b) {
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(a.core->x(i), b.core->x(i)) << "x" << i;
  EXPECT_TRUE(std::equal(a.memory.begin(), a.memory.end(), b.memory.begin()));
  EXPECT_EQ(a.core->retired(), b.core->retired());
}

TEST_P(RandomPrograms, TakeTheTimeOfTheirAccessesAndComputeTheSame) {
  const CpuConfig config = random_caches(GetParam());
  const RandomProgram program(GetParam());
  Oracle oracle(config);
  TestMachine functional(config);
  program.load(functional);
  Hooks hooks;
  hooks.trace = [&](const TraceRecord& record) { oracle.execute(record); };
  functional.core->set_hooks(hooks);
  ASSERT_EQ(functional.run_to_end(), Stop::kWaitForInterrupt);

  Timed timed(config);
  program.load(timed);
  ASSERT_EQ(timed.run_to_end(), Stop::kWaitForInterrupt);
  expect_same_state(functional, timed);
  EXPECT_EQ(timed.core->time(), oracle.now);
  const CacheFigures figures = timed.core->cache_figures();
  EXPECT_EQ(figures.missed_fetches, oracle.missed_fetches);
  EXPECT_EQ(figures.data->read_hits(), oracle.data().read_hits());
  EXPECT_EQ(figures.data->read_misses(), oracle.data().read_misses());
  EXPECT_EQ(figures.data->write_hits(), oracle.data().write_hits());
  EXPECT_EQ(figures.data->write_backs(), oracle.data().write_backs());
  const CpuTimes times = timed.core->times();
  EXPECT_EQ(times.busy, timed.core->retired() * kCycle);
  EXPECT_EQ(times.busy + times.idle + times.stalls(), times.total);
}

TEST_P(RandomPrograms, DoNotNoticeHowTheRunIsCut) {
  const CpuConfig config = random_caches(GetParam());
  const RandomProgram program(GetParam());
  Timed whole(config), cut(config), traced(config);
  for (TestMachine* machine :
       {static_cast<TestMachine*>(&whole), static_cast<TestMachine*>(&cut), static_cast<TestMachine*>(&traced)})
    program.load(*machine);
  whole.run_to_end();
  Hooks hooks;
  hooks.trace = [](const TraceRecord&) {};
  traced.core->set_hooks(hooks);
  traced.run_to_end();
  std::mt19937 random(GetParam());
  while (cut.core->run(cut.core->time() + 1 + random() % (40 * kCycle)) != Stop::kWaitForInterrupt) {
  }
  for (TestMachine* machine : {static_cast<TestMachine*>(&cut), static_cast<TestMachine*>(&traced)}) {
    expect_same_state(whole, *machine);
    EXPECT_EQ(machine->core->time(), whole.core->time());
    ASSERT_EQ(machine->transfers.size(), whole.transfers.size());
    for (std::size_t i = 0; i < whole.transfers.size(); ++i)
      ASSERT_EQ(machine->transfers[i].start, whole.transfers[i].start) << i;
    EXPECT_EQ(machine->core->times().cache_hit, whole.core->times().cache_hit);
  }
}

}  // namespace
}  // namespace vp::cpu
