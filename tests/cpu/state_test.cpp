#include <gtest/gtest.h>

#include "tests/cpu/page_tables.h"
#include "tests/cpu/random_bench.h"
#include "tests/support/saved_state.h"

namespace vp::cpu {
namespace {

TEST(CpuState, a_loaded_hart_goes_on_as_the_saved_one) {
  for (unsigned seed = 0; seed < 20; ++seed)
    expect_equal_after_loading([&] { return std::make_unique<RandomBench>(seed, random_settings(seed)); }, seed, 8, 40);
}

/// The random programs in supervisor mode under page tables, whose rights change; machine mode handles all traps.
struct PagedBench : RandomBench {
  PagedBench(unsigned seed, const CpuConfig& settings)
      : RandomBench(seed, settings), tables(settings.xlen(), machine.memory, kBase, kBase + kTables) {
    for (std::uint64_t page = 0; page < kTables; page += 4096) tables.map(kBase + page, kBase + page, kRights[0]);
    enter();
  }
  void step(Dice& dice) {
    if (dice.one_in(8)) {
      const std::uint64_t page = dice.one_in(4) ? 0 : kData;
      tables.map(kBase + page, kBase + page, kRights[dice.from_to(0, static_cast<unsigned>(kRights.size()) - 1)]);
      machine.core->set_csr(encode::satp, 0);
      machine.core->set_csr(encode::satp, tables.satp());
    }
    RandomBench::step(dice);
    if (machine.csr(encode::satp) == 0) enter();
    seen << static_cast<int>(machine.core->mode()) << ' ' << tables.get(tables.place(kBase + kData, 0)) << '\n';
  }

 private:
  static constexpr std::uint64_t kTables = 0x30000, kData = 0x10000;
  using Rights = PageTables;
  inline static const std::vector<std::uint64_t> kRights = {
      Rights::kAll, Rights::kAll & ~std::uint64_t{Rights::kA | Rights::kD}, Rights::kAll & ~std::uint64_t{Rights::kD},
      Rights::kAll & ~std::uint64_t{Rights::kW}, Rights::kAll & ~std::uint64_t{Rights::kV}};

  /// Behind a reset.
  void enter() {
    using namespace encode;
    Core& core = *machine.core;
    core.set_csr(mtvec, kBase + 4 * (kWords - 7));
    core.set_csr(mie, ~std::uint64_t{0});
    core.set_csr(pmpaddr0 + 15, ~std::uint64_t{0});
    core.set_csr(pmpcfg0 + (core.xlen() == 64 ? 2 : 3), std::uint64_t{0x1f} << (core.xlen() - 8));
    core.set_csr(satp, tables.satp());
    core.set_mode(Mode::kSupervisor);
  }

  PageTables tables;
};

CpuConfig paged_settings(unsigned seed) {
  CpuConfig config = random_settings(seed);
  config.ad_update = seed % 2 == 0 ? AdUpdate::hardware : AdUpdate::fault;
  config.sstc = true;
  return config;
}

TEST(CpuState, a_loaded_hart_goes_on_under_page_tables) {
  for (unsigned seed = 0; seed < 20; ++seed)
    expect_equal_after_loading([&] { return std::make_unique<PagedBench>(seed, paged_settings(seed)); }, seed, 6, 40);
}

TEST(CpuState, the_programs_under_page_tables_fault_and_come_back) {
  PagedBench bench(2, paged_settings(2));
  Dice dice(1);
  for (int i = 0; i < 1000; ++i) bench.step(dice);
  Core& core = *bench.machine.core;
  EXPECT_GT(core.retired(), 10'000u);
  for (const Cause cause : {Cause::load_page_fault, Cause::store_page_fault, Cause::instruction_page_fault})
    EXPECT_GT(core.exceptions_taken()[static_cast<unsigned>(cause)], 0u) << static_cast<unsigned>(cause);
}

TEST(CpuState, the_random_programs_trap_hit_miss_and_are_interrupted) {
  RandomBench bench(1, random_settings(2));
  Dice dice(1);
  for (int i = 0; i < 1000; ++i) bench.step(dice);
  Core& core = *bench.machine.core;
  EXPECT_GT(core.retired(), 10'000u);
  for (const Cause cause : {Cause::load_access_fault, Cause::ecall_from_machine})
    EXPECT_GT(core.exceptions_taken()[static_cast<unsigned>(cause)], 0u) << static_cast<unsigned>(cause);
  for (const unsigned interrupt : {7, 11}) EXPECT_GT(core.interrupts_taken()[interrupt], 0u);
  const CacheFigures caches = core.cache_figures();
  EXPECT_GT(caches.missed_fetches, 0u);
  EXPECT_GT(caches.data->read_hits(), 0u);
  EXPECT_GT(caches.data->write_backs(), 0u);
}

}  // namespace
}  // namespace vp::cpu
