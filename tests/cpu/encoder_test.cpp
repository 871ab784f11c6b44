// Where there is a generator of code for the host.
#if defined(__x86_64__) && __has_include(<xbyak/xbyak.h>)

#include "models/cpu/jit/x86_64/encoder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace vp::cpu::x86_64 {
namespace {

/// The same bytes as Xbyak's, for all registers and kinds of places.
class EncoderTest : public ::testing::Test {
 protected:
  struct Ours : Encoder {
    explicit Ours(std::uint8_t* memory) : Encoder(kSize, memory) {}
    using Encoder::add, Encoder::or_, Encoder::and_, Encoder::sub, Encoder::xor_, Encoder::cmp, Encoder::shl,
        Encoder::shr, Encoder::sar, Encoder::mov, Encoder::movsxd, Encoder::movsx, Encoder::movzx, Encoder::lea,
        Encoder::test, Encoder::imul, Encoder::paddq, Encoder::jmp, Encoder::jump_if, Encoder::skip_if, Encoder::land,
        Encoder::ptr, Encoder::byte, Encoder::word, Encoder::dword, Encoder::qword, Encoder::known, Encoder::place_of,
        Encoder::setSize, Encoder::getSize, Encoder::getCurr;
  };
  static constexpr std::size_t kSize = 4096;

  /// `write` writes some instructions with either.
  template <typename Write>
  void expect_equal(Write write) {
    xbyak_.setSize(kStart);
    write(xbyak_);
    const std::vector<std::uint8_t> expected(memory_.begin() + kStart, memory_.begin() + xbyak_.getSize());
    ours_.setSize(kStart);
    write(ours_);
    const std::vector<std::uint8_t> found(memory_.begin() + kStart, memory_.begin() + ours_.getSize());
    ASSERT_EQ(found, expected);
  }
  /// With all registers of 32 and of 64 bits.
  template <typename Visit>
  static void for_registers(Visit visit) {
    for (int i = 0; i < 16; ++i) {
      visit(Xbyak::Reg32(i));
      visit(Xbyak::Reg64(i));
    }
  }
  /// With places as both have them.
  template <typename Visit>
  static void for_places(Visit visit) {
    for (int base = 0; base < 16; ++base)
      for (const std::int32_t displacement : {0, 1, -128, 127, 128, -129, 0x1234'5678}) {
        visit(Ours::place_of(Xbyak::Reg64(base), displacement), Xbyak::Reg64(base) + displacement);
        for (int index = 0; index < 16; ++index)
          if (index != Xbyak::Operand::RSP)
            visit(Ours::place_of(Xbyak::Reg64(base), Xbyak::Reg64(index)) + displacement,
                  Xbyak::Reg64(base) + Xbyak::Reg64(index) + displacement);
      }
  }
  static constexpr std::array<std::uint32_t, 7> kValues = {0, 1, 0x7f, 0x80, 0xffff'ff80, 0xffff'ff7f, 0x7fff'ffff};
  static constexpr std::size_t kStart = kSize / 2;

  std::array<std::uint8_t, kSize> memory_{};
  Xbyak::CodeGenerator xbyak_{kSize, memory_.data()};
  Ours ours_{memory_.data()};
};

TEST_F(EncoderTest, operations_between_registers) {
  for_registers([&](const auto& one) {
    for (int i = 0; i < 16; ++i) {
      const std::decay_t<decltype(one)> other(i);
      expect_equal([&](auto& to) {
        to.add(one, other);
        to.or_(one, other);
        to.and_(one, other);
        to.sub(one, other);
        to.xor_(one, other);
        to.cmp(one, other);
        to.mov(one, other);
        to.test(one, other);
        to.imul(one, other);
        to.movsxd(Xbyak::Reg64(i), Xbyak::Reg32(one.getIdx()));
      });
    }
  });
}

TEST_F(EncoderTest, operations_with_constants) {
  for_registers([&](const auto& reg) {
    for (const std::uint32_t value : kValues)
      expect_equal([&](auto& to) {
        to.add(reg, value);
        to.or_(reg, value);
        to.and_(reg, value);
        to.sub(reg, value);
        to.xor_(reg, value);
        to.cmp(reg, value);
        to.shl(reg, static_cast<int>(value & 31));
        to.shr(reg, static_cast<int>(value & 31));
        to.sar(reg, static_cast<int>(value & 31));
        to.mov(reg, std::uint64_t{value});
      });
    expect_equal([&](auto& to) {
      to.shl(reg, Xbyak::util::cl);
      to.shr(reg, Xbyak::util::cl);
      to.sar(reg, Xbyak::util::cl);
    });
  });
  for (int i = 0; i < 16; ++i)
    for (const std::uint64_t value : {0x1234'5678'9abc'def0u, 0xffff'ffff'8000'0000u, 0xffff'ffff'7fff'ffffu})
      expect_equal([&](auto& to) { to.mov(Xbyak::Reg64(i), value); });
}

TEST_F(EncoderTest, operations_with_memory) {
  for_places([&](const Place& place, const Xbyak::RegExp& same) {
    const auto at = [&](const auto& to, const auto& frame) {
      if constexpr (std::is_same_v<std::decay_t<decltype(to)>, Ours>)
        return frame[place];
      else
        return frame[same];
    };
    const auto expect = [&](auto operations) {
      expect_equal([&](auto& to) { operations(to, [&](const auto& frame) { return at(to, frame); }); });
    };
    for (const int i : {0, 3, 5, 6, 12, 15}) {
      const Xbyak::Reg64 wide(i);
      const Xbyak::Reg32 half(i);
      expect([&](auto& to, auto in) {
        to.add(wide, in(to.ptr));
        to.sub(half, in(to.ptr));
        to.cmp(wide, in(to.ptr));
        to.and_(in(to.ptr), wide);
        to.or_(in(to.ptr), half);
        to.mov(wide, in(to.ptr));
        to.mov(half, in(to.ptr));
        to.mov(in(to.ptr), wide);
        to.mov(in(to.ptr), half);
        to.mov(in(to.ptr), Xbyak::Reg16(i));
        to.mov(in(to.ptr), Xbyak::Reg8(i, i >= 4));
        to.movsxd(wide, in(to.dword));
        to.movsx(wide, in(to.byte));
        to.movsx(half, in(to.word));
        to.movzx(half, in(to.byte));
        to.movzx(half, in(to.word));
        to.imul(wide, in(to.ptr));
      });
    }
    expect([&](auto& to, auto in) {
      to.mov(in(to.qword), -2);
      to.mov(in(to.dword), 0x1234);
      to.add(in(to.qword), 5);
      to.xor_(in(to.dword), 0x1234);
      to.shl(in(to.qword), 1);
      to.sar(in(to.dword), 7);
      to.jmp(in(to.qword));
    });
  });
}

TEST_F(EncoderTest, addresses) {
  for_places([&](const Place& place, const Xbyak::RegExp& same) {
    for (const int i : {0, 4, 9}) {
      xbyak_.setSize(kStart);
      xbyak_.lea(Xbyak::Reg64(i), xbyak_.ptr[same]);
      const std::string expected(memory_.begin() + kStart, memory_.begin() + xbyak_.getSize());
      ours_.setSize(kStart);
      ours_.lea(Xbyak::Reg64(i), place);
      ASSERT_EQ(std::string(memory_.begin() + kStart, memory_.begin() + ours_.getSize()), expected);
    }
  });
}

TEST_F(EncoderTest, what_is_at_an_address_that_is_known) {
  const void* const address = memory_.data() + 16;
  const auto at = [&](auto& to) {
    if constexpr (std::is_same_v<std::decay_t<decltype(to)>, Ours>)
      return to.known(address);
    else
      return to.ptr[Xbyak::util::rip + address];
  };
  for (int i = 0; i < 16; ++i)
    expect_equal([&](auto& to) {
      to.lea(Xbyak::Reg64(i), at(to));
      to.cmp(Xbyak::Reg64(i), at(to));
      to.add(Xbyak::Reg32(i), at(to));
      to.mov(Xbyak::Reg64(i), at(to));
      to.paddq(Xbyak::Xmm(i), at(to));
    });
}

TEST_F(EncoderTest, jumps_are_as_short_as_they_may_be) {
  constexpr std::uint8_t kJne = 0x75, kJmp = 0xeb, kBack = 0x80;
  ours_.setSize(kStart);
  ours_.jump_if(Encoder::Condition::not_equal, ours_.getCurr() - 126);
  ours_.jmp(ours_.getCurr() - 126);
  EXPECT_EQ(ours_.getSize(), kStart + 4);
  EXPECT_EQ((std::vector<std::uint8_t>(&memory_[kStart], &memory_[kStart + 4])),
            (std::vector<std::uint8_t>{kJne, kBack, kJmp, kBack}));
  const std::uint8_t* const to = memory_.data();
  expect_equal([&](auto& with) {
    if constexpr (std::is_same_v<std::decay_t<decltype(with)>, Ours>) {
      with.jump_if(Encoder::Condition::not_equal, to);
      with.jump_if(Encoder::Condition::less, to);
    } else {
      with.jne(static_cast<const void*>(to));
      with.jl(static_cast<const void*>(to));
    }
    with.jmp(static_cast<const void*>(to));
  });
}

TEST_F(EncoderTest, skips_what_is_written_until_it_lands) {
  ours_.setSize(kStart);
  const std::size_t skip = ours_.skip_if(Encoder::Condition::below);
  ours_.mov(Xbyak::util::rax, 0x1234'5678'9abc'def0u);
  ours_.land(skip);
  EXPECT_EQ(memory_[kStart], 0x72);
  EXPECT_EQ(memory_[kStart + 1], 10);
}

}  // namespace
}  // namespace vp::cpu::x86_64

#endif
