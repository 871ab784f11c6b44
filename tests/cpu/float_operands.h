#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace vp::cpu {

/// Operands that find errors in floating-point arithmetic: corners, neighbours of corners, and random numbers of
/// several kinds. Bits: std::uint32_t or std::uint64_t.
template <typename Bits>
class FloatOperandSource {
 public:
  explicit FloatOperandSource(unsigned seed) : random_(seed) {}

  static const std::vector<Bits>& corners();

  struct Tuple {
    Bits a, b, c;
  };
  /// Three operands that belong together: of similar size, or c about −a × b.
  Tuple tuple() {
    Tuple made{operand(), operand(), operand()};
    switch (below(4)) {
      case 0:
        made.b = near(made.a, 3);
        break;
      case 1:
        made.a = near(kOne, 4 * kFraction);
        made.b = near(kOne, 4 * kFraction);
        made.c = near(opposite_product(made.a, made.b), below(2) ? 0 : 2 * kFraction);
        if (below(2)) made.c += static_cast<Bits>(below(7)) - 3;
        break;
      default:
        break;
    }
    return made;
  }
  Bits operand() {
    switch (below(8)) {
      case 0:
      case 1:
        return corners()[below(static_cast<unsigned>(corners().size()))];
      case 2:
        return corners()[below(static_cast<unsigned>(corners().size()))] + static_cast<Bits>(below(9)) - 4;
      case 3:  // few bits: exact results and halfway cases
        return any() & ~((Bits{1} << below(kFraction + 1)) - 1);
      case 4:  // about the size of integers
        return near(kOne, 70);
      case 5:  // denormal or small
        return (any() >> below(static_cast<unsigned>(8 * sizeof(Bits)))) | (below(2) ? kSign : 0);
      default:
        return any();
    }
  }
  std::uint64_t integer() {
    const std::uint64_t value = random_() >> below(64);
    return below(2) ? value : 0 - value;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

 private:
  static constexpr unsigned kFraction = sizeof(Bits) == 8 ? 52 : 23;
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  static constexpr Bits kOne = static_cast<Bits>(sizeof(Bits) == 8 ? 0x3ff0000000000000 : 0x3f800000);

  Bits any() { return static_cast<Bits>(random_()); }
  /// Random fraction and sign; the exponent differs by up to `by`.
  Bits near(Bits value, unsigned by) {
    const Bits away = static_cast<Bits>(below(2 * by + 1)) - by;
    return ((value & ~((Bits{1} << kFraction) - 1)) + (away << kFraction)) ^
           (any() & (kSign | ((Bits{1} << kFraction) - 1)));
  }
  static Bits opposite_product(Bits a, Bits b) {
    using Number = std::conditional_t<sizeof(Bits) == 8, double, float>;
    Number x, y;
    std::memcpy(&x, &a, sizeof x);
    std::memcpy(&y, &b, sizeof y);
    const Number z = -(x * y);
    Bits c;
    std::memcpy(&c, &z, sizeof c);
    return c;
  }

  std::mt19937_64 random_;
};

template <>
inline const std::vector<std::uint64_t>& FloatOperandSource<std::uint64_t>::corners() {
  static const std::vector<std::uint64_t> all = [] {
    std::vector<std::uint64_t> both;
    for (const std::uint64_t plus : std::initializer_list<std::uint64_t>{
             0x0000000000000000u,  // zero
             0x0000000000000001u,  // denormals
             0x000fffffffffffffu, 0x0008000000000000u, 0x0000000080000000u,
             0x0010000000000000u,  // least normal, and above
             0x0010000000000001u, 0x0020000000000000u,
             0x3fe0000000000000u,  // halves
             0x3ff8000000000000u, 0x4004000000000000u, 0x3fefffffffffffffu,
             0x3ff0000000000000u,  // one
             0x3ff0000000000001u, 0x4000000000000000u, 0x4008000000000000u, 0x3fd5555555555555u,
             0x7fefffffffffffffu,  // greatest, infinity
             0x7ff0000000000000u,
             0x7ff8000000000000u,  // NaNs: quiet, with a payload, signalling
             0x7ff80000deadbeefu, 0x7ff0000000000001u, 0x7ff4000000000000u,
             0x41dfffffffc00000u,  // 2^31 - 1, - 0.5, 2^31, + 0.5, + 1
             0x41dfffffffe00000u, 0x41e0000000000000u, 0x41e0000000100000u, 0x41e0000000200000u,
             0x41efffffffe00000u,  // 2^32 - 1, - 0.5, 2^32
             0x41effffffff00000u, 0x41f0000000000000u,
             0x43dfffffffffffffu,  // 2^63 less a step, 2^63, 2^64 less a step, 2^64
             0x43e0000000000000u, 0x43e0000000000001u, 0x43efffffffffffffu, 0x43f0000000000000u,
             0x4320000000000001u,  // steps of a half, of one
             0x4330000000000001u, 0x4340000000000001u,
             0x47efffffe0000000u,  // greatest single, halfway above it, twice that
             0x47effffff0000000u, 0x47efffffefffffffu, 0x47f0000000000000u,
             0x3810000000000000u,  // least normal single, and those about it
             0x380fffffe0000000u, 0x380ffffff0000000u, 0x380fffffefffffffu, 0x380fffffffffffffu, 0x36a0000000000000u,
             0x3690000000000000u, 0x3690000000000001u, 0x36a8000000000000u, 0x3680000000000000u,
             0x1ff0000000000000u,  // whose squares are about the least normal, or vanish
             0x1fe0000000000001u, 0x1e50000000000000u,
             0x5fe0000000000000u,  // whose square is about the greatest
         })
      both.insert(both.end(), {plus, plus | kSign});
    return both;
  }();
  return all;
}

template <>
inline const std::vector<std::uint32_t>& FloatOperandSource<std::uint32_t>::corners() {
  static const std::vector<std::uint32_t> all = [] {
    std::vector<std::uint32_t> both;
    for (const std::uint32_t plus : {
             0x00000000u, 0x00000001u, 0x00000002u, 0x007fffffu, 0x00400000u, 0x00800000u, 0x00800001u, 0x01000000u,
             0x3f000000u, 0x3fc00000u, 0x40200000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x40000000u, 0x40400000u,
             0x3eaaaaabu, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u, 0x7fc0beefu, 0x7f800001u, 0x7fa00000u,
             0x4effffffu,  // about 2^31
             0x4f000000u, 0x4f000001u,
             0x4f7fffffu,  // about 2^32
             0x4f800000u,
             0x5effffffu,  // about 2^63
             0x5f000000u, 0x5f000001u,
             0x5f7fffffu,  // about 2^64
             0x5f800000u,
             0x4b000001u,  // steps of a half, of one
             0x4a800001u, 0x4b800001u,
             0x20000000u,  // whose squares are about the least normal, or vanish
             0x1fffffffu, 0x1a000000u, 0x19ffffffu,
             0x5f800000u,  // whose square is about the greatest
         })
      both.insert(both.end(), {plus, plus | kSign});
    return both;
  }();
  return all;
}

}  // namespace vp::cpu
