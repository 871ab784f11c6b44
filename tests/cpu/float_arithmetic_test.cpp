// The integer arithmetic of models/cpu/float against the host's SSE unit, which detects tininess after rounding as
// RISC-V does: results and flags, in the four rounding modes that it has.
#include "models/cpu/float/arithmetic.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "models/cpu/float/conversion.h"
#include "tests/cpu/float_operands.h"

namespace vp::ieee754 {
namespace {

TEST(FloatArithmetic, rounds_ties_away_from_zero_in_the_mode_that_hosts_lack) {
  Environment environment;
  environment.rounding = Rounding::nearest_away;
  EXPECT_EQ(to_integer<std::int32_t>(std::uint64_t{0x3fe0000000000000}, environment), 1) << "0.5";
  EXPECT_EQ(to_integer<std::int32_t>(std::uint64_t{0xbfe0000000000000}, environment), -1) << "-0.5";
  EXPECT_EQ(to_integer<std::int32_t>(std::uint64_t{0x4004000000000000}, environment), 3) << "2.5";
  EXPECT_EQ(to_integer<std::int32_t>(std::uint64_t{0x3fdfffffffffffff}, environment), 0) << "just below 0.5";
  const std::uint32_t one = 0x3f800000, half_step = 0x33800000;  // 1 + 2^-24 lies between two singles
  EXPECT_EQ(add(one, half_step, environment), 0x3f800001u);
  EXPECT_EQ(environment.flags, inexact);
  environment.rounding = Rounding::nearest_even;
  EXPECT_EQ(add(one, half_step, environment), one);
}

TEST(FloatArithmetic, underflow_is_tiny_after_rounding_and_inexact) {
  const std::uint64_t least = 0x0010000000000000, below_one = 0x3fefffffffffffff, half = 0x3fe0000000000000;
  Environment environment;
  // least × (1 − 2^-53) rounds up to least in the format's own steps, but is tiny with one bit more of exponent.
  EXPECT_EQ(multiply(least, below_one, environment), least);
  EXPECT_EQ(environment.flags, underflow | inexact);
  environment.flags = 0;
  EXPECT_EQ(multiply(least, half, environment), 0x0008000000000000u);
  EXPECT_EQ(environment.flags, 0) << "denormal, but exact";
}

#if defined(__x86_64__)

/// The host's unit in a rounding mode, its flags clear; the registers of everything else are put back.
class HostUnit {
 public:
  explicit HostUnit(Rounding rounding) {
    constexpr std::uint32_t kMasked = 0x1f80;
    constexpr std::uint32_t kControl[] = {0, 3, 1, 2};
    set(kMasked | kControl[static_cast<unsigned>(rounding)] << 13);
  }
  ~HostUnit() { set(saved_); }
  HostUnit(const HostUnit&) = delete;
  HostUnit& operator=(const HostUnit&) = delete;

  unsigned flags() const {
    std::uint32_t state = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(state));
    // From bit 0 up: invalid, denormal operand, divide by zero, overflow, underflow, inexact.
    return (state & 1 ? invalid : 0) | (state & 4 ? divide_by_zero : 0) | (state & 8 ? overflow : 0) |
           (state & 16 ? underflow : 0) | (state & 32 ? inexact : 0);
  }

 private:
  static std::uint32_t get() {
    std::uint32_t state = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(state));
    return state;
  }
  static void set(std::uint32_t state) { __asm__ volatile("ldmxcsr %0" : : "m"(state) : "memory"); }

  std::uint32_t saved_ = get();
};

template <typename Bits>
using NumberOf = std::conditional_t<sizeof(Bits) == 8, double, float>;

template <typename To, typename From>
To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// clang-format off
#define VP_HOST_OPERATION(name, instruction)                                                       \
  std::uint64_t name(std::uint64_t a, std::uint64_t b) {                                           \
    auto x = bits_of<double>(a);                                                                   \
    __asm__ volatile(instruction "sd %1, %0" : "+x"(x) : "x"(bits_of<double>(b)) : "memory");      \
    return bits_of<std::uint64_t>(x);                                                              \
  }                                                                                                \
  std::uint32_t name(std::uint32_t a, std::uint32_t b) {                                           \
    auto x = bits_of<float>(a);                                                                    \
    __asm__ volatile(instruction "ss %1, %0" : "+x"(x) : "x"(bits_of<float>(b)) : "memory");       \
    return bits_of<std::uint32_t>(x);                                                              \
  }
// clang-format on
VP_HOST_OPERATION(host_add, "add")
VP_HOST_OPERATION(host_subtract, "sub")
VP_HOST_OPERATION(host_multiply, "mul")
VP_HOST_OPERATION(host_divide, "div")
VP_HOST_OPERATION(host_square_root, "sqrt")
#undef VP_HOST_OPERATION

/// Ours has canonical NaNs only.
template <typename Bits>
Bits canonical(Bits a) {
  return is_nan(a) ? Format<Bits>::kCanonicalNan : a;
}

template <typename Bits, typename Ours, typename Hosts>
void expect_same(const char* what, const Ours& ours, const Hosts& hosts) {
  cpu::FloatOperandSource<Bits> source(sizeof(Bits));
  for (unsigned n = 0; n < 400'000; ++n) {
    const auto [a, b, c] = source.tuple();
    (void)c;
    Environment environment;
    environment.rounding = static_cast<Rounding>(n % 4);
    Bits expected = 0;
    unsigned flags = 0;
    {
      const HostUnit unit(environment.rounding);
      expected = hosts(a, b);
      flags = unit.flags();
    }
    const Bits actual = ours(a, b, environment);
    ASSERT_EQ(actual, canonical(expected)) << what << std::hex << " 0x" << a << " 0x" << b << " mode " << n % 4;
    ASSERT_EQ(environment.flags, flags) << what << std::hex << " 0x" << a << " 0x" << b << " mode " << n % 4;
  }
}

template <typename Bits>
class FloatFormat : public testing::Test {};
using Formats = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FloatFormat, Formats);

TYPED_TEST(FloatFormat, equals_the_hosts_unit) {
  using Bits = TypeParam;
  const auto host = [](auto operation) { return [operation](Bits a, Bits b) { return operation(a, b); }; };
  expect_same<Bits>("add", add<Bits>, host([](Bits a, Bits b) { return host_add(a, b); }));
  expect_same<Bits>("subtract", subtract<Bits>, host([](Bits a, Bits b) { return host_subtract(a, b); }));
  expect_same<Bits>("multiply", multiply<Bits>, host([](Bits a, Bits b) { return host_multiply(a, b); }));
  expect_same<Bits>("divide", divide<Bits>, host([](Bits a, Bits b) { return host_divide(a, b); }));
  expect_same<Bits>(
      "square root", [](Bits, Bits b, Environment& environment) { return square_root<Bits>(b, environment); },
      host([](Bits a, Bits b) { return host_square_root(a, b); }));
}

#endif

}  // namespace
}  // namespace vp::ieee754
