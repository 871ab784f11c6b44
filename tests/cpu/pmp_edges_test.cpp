// Accesses around the edges of small PMP regions, aligned and not: all bytes of an access must be in the region that
// the lowest entry they touch has, or the access fails. One that is not aligned is done in parts, where it crosses 8
// bytes.
#include <gtest/gtest.h>

#include <optional>

#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"

namespace vp::cpu {
namespace {

using namespace encode;

constexpr std::uint64_t kRegion = kBase + 0x2010;  // of 4 or 8 bytes; rwx, locked, so that machine mode is checked, too
constexpr std::uint64_t kLoad = kBase + 0x100, kFaulted = kBase + 0x200;

/// Where `size` bytes from `from` on are refused, by a region of `length` bytes whose entry permits everything: at the
/// first part of which it has some bytes, but not all.
std::optional<std::uint64_t> refused_part(std::uint64_t from, unsigned size, unsigned length) {
  for (std::uint64_t at = from; at < from + size;) {
    const std::uint64_t end = std::min(from + size, (at | 7) + 1);
    const bool touches = at < kRegion + length && end > kRegion, inside = at >= kRegion && end <= kRegion + length;
    if (touches && !inside) return at;
    at = end;
  }
  return std::nullopt;
}

struct PmpForm {
  const char* name;
  unsigned length;         ///< bytes of the region
  std::uint64_t address0;  ///< pmpaddr0
  std::uint64_t address1;
  std::uint64_t config;  ///< pmpcfg0
};
constexpr PmpForm kForms[] = {{"NA4", 4, kRegion >> 2, 0, 0x97},
                              {"NAPOT", 8, kRegion >> 2, 0, 0x9f},
                              {"TOR", 4, kRegion >> 2, (kRegion + 4) >> 2, 0x8f00}};

class PmpEdges : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Widths, PmpEdges, testing::Values(32u, 64u));

TEST_P(PmpEdges, an_access_needs_all_of_its_bytes_in_one_region) {
  for (const PmpForm& form : kForms) {
    for (unsigned log = 0; 8u << log <= GetParam(); ++log) {
      for (int offset = -9; offset <= 9; ++offset) {
        TestMachine machine(config_of(GetParam()), 0x4000);
        using Setting = std::pair<unsigned, std::uint64_t>;
        for (const auto& [number, value] : {Setting{mtvec, kFaulted}, Setting{pmpaddr0, form.address0},
                                            Setting{pmpaddr0 + 1, form.address1}, Setting{pmpcfg0, form.config}})
          ASSERT_TRUE(machine.core->set_csr(number, value));
        machine.put32(kBase, {jal(0, kLoad - kBase)});
        machine.put32(kLoad, {i(0, t2, log, a0, 0x03), kWfi});
        machine.put32(kFaulted, {kWfi});
        const std::uint64_t from = kRegion + static_cast<std::uint64_t>(offset);
        machine.core->set_x(t2, from);
        machine.run_to_end();

        const std::optional<std::uint64_t> refused = refused_part(from, 1u << log, form.length);
        SCOPED_TRACE(testing::Message() << form.name << ", " << (1u << log) << " bytes at " << offset);
        EXPECT_EQ(machine.core->pc(), (refused ? kFaulted : kLoad + 4) + 4);
        EXPECT_EQ(machine.csr(mcause), refused ? 5u : 0u);
        EXPECT_EQ(machine.csr(mtval), refused.value_or(0));
      }
    }
  }
}

TEST_P(PmpEdges, reserved_bits_of_the_registers_are_zero) {
  TestMachine machine(config_of(GetParam()), 0x4000);
  machine.core->set_x(t0, ~std::uint64_t{0});
  machine.put32(kBase, {csrw(pmpaddr0, t0), addi(t1, 0, 0x7f), csrw(pmpcfg0, t1), kWfi});
  machine.run_to_end();
  EXPECT_EQ(machine.csr(pmpaddr0), GetParam() == 32 ? 0xffff'ffffu : 0x003f'ffff'ffff'ffffu);
  EXPECT_EQ(machine.csr(pmpcfg0), 0x1fu);
}

}  // namespace
}  // namespace vp::cpu
