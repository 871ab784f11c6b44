// What the inner loop does by the host's floating point, against the integer arithmetic: where it says that its result
// is certain, result and flags are those of the integers.
#include "models/cpu/float/host.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "models/cpu/float/arithmetic.h"
#include "models/cpu/float/conversion.h"
#include "tests/cpu/float_operands.h"

namespace vp::ieee754 {
namespace {

constexpr unsigned kRounds = 300'000;

template <typename Bits>
class FloatByHost : public testing::Test {
 protected:
  using Source = cpu::FloatOperandSource<Bits>;
  using Tuple = typename Source::Tuple;

  /// host(tuple, flags, result): the flags accrued so far go in.
  template <typename Result, typename Host, typename Integers>
  void expect_same(const char* what, const Host& host, const Integers& integers) {
    if (!host::usable()) GTEST_SKIP() << "this host's floating point is not used";
    unsigned by_host = 0;
    for (unsigned n = 0; n < kRounds; ++n) {
      const Tuple tuple = source_.tuple();
      const unsigned before = n % 2 ? inexact : 0;
      Environment environment;
      environment.raise(before);
      const Result expected = integers(tuple, environment);
      Result result{};
      unsigned flags = before;
      if (!host(tuple, flags, result)) continue;
      ++by_host;
      ASSERT_EQ(result, expected) << what << std::hex << " 0x" << tuple.a << " 0x" << tuple.b << " 0x" << tuple.c;
      ASSERT_EQ(flags, environment.flags) << what << std::hex << " 0x" << tuple.a << " 0x" << tuple.b;
    }
    EXPECT_GT(by_host, kRounds / 20) << what;
  }

  Source source_{9};
};
using HostFormats = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FloatByHost, HostFormats);

TYPED_TEST(FloatByHost, arithmetic_equals_that_in_integers) {
  using Bits = TypeParam;
  using Operands = typename TestFixture::Tuple;
#define VP_COMPARE(name)                                                                                          \
  this->template expect_same<Bits>(                                                                               \
      #name, [](const Operands& t, unsigned flags, Bits& result) { return host::name(t.a, t.b, flags, result); }, \
      [](const Operands& t, Environment& environment) { return name<Bits>(t.a, t.b, environment); })
  VP_COMPARE(add);
  VP_COMPARE(subtract);
  VP_COMPARE(multiply);
  VP_COMPARE(divide);
#undef VP_COMPARE
  this->template expect_same<Bits>(
      "square root",
      [](const Operands& t, unsigned flags, Bits& result) { return host::square_root(t.a, flags, result); },
      [](const Operands& t, Environment& environment) { return square_root<Bits>(t.a, environment); });
  for (const bool least : {true, false})
    this->template expect_same<Bits>(
        "extreme",
        [least](const Operands& t, unsigned, Bits& result) { return host::extreme(t.a, t.b, least, result); },
        [least](const Operands& t, Environment& environment) {
          return least ? minimum<Bits>(t.a, t.b, environment) : maximum<Bits>(t.a, t.b, environment);
        });
}

TYPED_TEST(FloatByHost, fused_multiply_add_equals_that_in_integers) {
  using Bits = TypeParam;
  using Operands = typename TestFixture::Tuple;
  if (!host::has_fused()) GTEST_SKIP() << "this host has no fused multiply-add";
  this->template expect_same<Bits>(
      "multiply_add",
      [](const Operands& t, unsigned flags, Bits& result) { return host::multiply_add(t.a, t.b, t.c, flags, result); },
      [](const Operands& t, Environment& environment) { return multiply_add<Bits>(t.a, t.b, t.c, environment); });
}

TYPED_TEST(FloatByHost, comparisons_of_what_is_ordered_raise_nothing) {
  using Bits = TypeParam;
  using Operands = typename TestFixture::Tuple;
  this->template expect_same<unsigned>(
      "compare",
      [](const Operands& t, unsigned, unsigned& result) {
        const auto x = host::number(t.a), y = host::number(t.b);
        result = (x == y) | (x < y) << 1 | (x <= y) << 2;
        return host::ordered(t.a, t.b);
      },
      [](const Operands& t, Environment& environment) {
        return unsigned{equal<Bits>(t.a, t.b, environment)} | less<Bits>(t.a, t.b, environment) << 1 |
               less_or_equal<Bits>(t.a, t.b, environment) << 2;
      });
}

/// Numbers of an integer type from and to a format.
template <typename Bits, typename Integer>
void expect_same_integers(const char* what) {
  if (!host::usable()) GTEST_SKIP() << "this host's floating point is not used";
  cpu::FloatOperandSource<Bits> source(10);
  unsigned truncated = 0, made = 0;
  for (unsigned n = 0; n < kRounds; ++n) {
    const Bits a = source.operand();
    const auto integer = static_cast<Integer>(source.integer());
    Environment towards_zero;
    towards_zero.rounding = Rounding::to_zero;
    Integer whole = 0;
    bool exact = false;
    if (host::truncate<Integer>(a, whole, exact)) {
      ++truncated;
      ASSERT_EQ(whole, (to_integer<Integer>(a, towards_zero))) << what << std::hex << " 0x" << a;
      ASSERT_EQ(exact ? 0 : inexact, towards_zero.flags) << what << std::hex << " 0x" << a;
    }
    Environment nearest;
    nearest.raise(n % 2 ? inexact : 0);
    Bits result = 0;
    if (host::from_integer<Bits>(integer, n % 2 ? inexact : 0, result)) {
      ++made;
      ASSERT_EQ(result, (from_integer<Bits>(integer, nearest))) << what << " " << integer;
      ASSERT_EQ(nearest.flags, n % 2 ? inexact : 0) << what << " " << integer;
    }
  }
  EXPECT_GT(truncated, kRounds / 20) << what;
  EXPECT_GT(made, kRounds / 20) << what;
}

TYPED_TEST(FloatByHost, conversions_of_integers_equal_those_in_integers) {
  expect_same_integers<TypeParam, std::int32_t>("int32");
  expect_same_integers<TypeParam, std::uint32_t>("uint32");
  expect_same_integers<TypeParam, std::int64_t>("int64");
  expect_same_integers<TypeParam, std::uint64_t>("uint64");
}

TYPED_TEST(FloatByHost, conversions_to_the_other_format_equal_those_in_integers) {
  using From = TypeParam;
  using To = std::conditional_t<sizeof(From) == 4, std::uint64_t, std::uint32_t>;
  using Operands = typename TestFixture::Tuple;
  this->template expect_same<To>(
      "convert", [](const Operands& t, unsigned flags, To& result) { return host::convert<To>(t.a, flags, result); },
      [](const Operands& t, Environment& environment) { return convert<To>(t.a, environment); });
}

}  // namespace
}  // namespace vp::ieee754
