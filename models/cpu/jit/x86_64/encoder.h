#pragma once

#include <xbyak/xbyak.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vp::cpu::x86_64 {

/// base + index + displacement, as instructions of the host have it.
struct Place {
  static constexpr std::int8_t kNoIndex = -1;
  std::uint8_t base;
  std::int8_t index = kNoIndex;
  std::int32_t displacement = 0;

  Place operator+(std::int32_t more) const { return {base, index, displacement + more}; }
};

/// What is there.
struct Memory {
  Place place;
  std::uint8_t bits;  ///< 0: as many as the register that it is used with

  operator Xbyak::Address() const;
};

/// What is at an address that is known, close to the code.
struct Known {
  const void* address;
  std::uint8_t bits;  ///< likewise

  operator Xbyak::Address() const;
};

/// Xbyak, but for the instructions that generated code mostly consists of: to find out how one is encoded takes it ten
/// times as long, and boots generate much code. They have the same names here. There must be room for them.
class Encoder : protected Xbyak::CodeGenerator {
 public:
  /// As they are numbered in instructions that depend on one.
  enum class Condition : std::uint8_t { below = 2, above_or_equal, equal, not_equal, less = 12, greater_or_equal };

 protected:
  using Base = Xbyak::CodeGenerator;
  using Base::Base;
  using Reg = Xbyak::Reg;

  /// In brackets: a place, or what else Xbyak has.
  template <std::uint8_t bits>
  struct Frame {
    Memory operator[](const Place& place) const { return {place, bits}; }
    template <typename Other>
    Xbyak::Address operator[](const Other& other) const {
      return Xbyak::AddressFrame(bits)[other];
    }
  };
  // NOLINTBEGIN(readability-identifier-naming): as Xbyak has them
  static constexpr Frame<0> ptr{};
  static constexpr Frame<8> byte{};
  static constexpr Frame<16> word{};
  static constexpr Frame<32> dword{};
  static constexpr Frame<64> qword{};
  // NOLINTEND(readability-identifier-naming)
  static Place place_of(const Reg& base, std::int32_t displacement) {
    return {number(base), Place::kNoIndex, displacement};
  }
  static Place place_of(const Reg& base, const Reg& index) {
    return {number(base), static_cast<std::int8_t>(index.getIdx()), 0};
  }
  static Known known(const void* address) { return {address, 0}; }

#define VP_ENCODED(name, opcode, extension)                                                                  \
  using Base::name;                                                                                          \
  void name(const Reg& to, const Reg& by) { encode(sized(opcode, to), width(to), number(by), to); }          \
  void name(const Reg& to, const Memory& by) { encode(sized((opcode) | 2, to), width(to), number(to), by); } \
  void name(const Reg& to, const Known& by) { encode(sized((opcode) | 2, to), width(to), number(to), by); }  \
  void name(const Memory& to, const Reg& by) { encode(sized(opcode, by), width(by), number(by), to); }       \
  void name(const Reg& to, std::uint32_t by) { encode_immediate(extension, to, by); }                        \
  void name(const Memory& to, std::uint32_t by) { encode_immediate(extension, to, by); }
  VP_ENCODED(add, 0x00, 0)
  VP_ENCODED(or_, 0x08, 1)
  VP_ENCODED(and_, 0x20, 4)
  VP_ENCODED(sub, 0x28, 5)
  VP_ENCODED(xor_, 0x30, 6)
  VP_ENCODED(cmp, 0x38, 7)
#undef VP_ENCODED
#define VP_ENCODED(name, extension)                                                       \
  using Base::name;                                                                       \
  void name(const Reg& to, int count) { encode_shift(width(to), extension, to, count); }  \
  void name(const Memory& to, int count) { encode_shift(to.bits, extension, to, count); } \
  void name(const Reg& to, const Xbyak::Reg8&) { encode(0xd3, width(to), extension, to); }
  VP_ENCODED(shl, 4)
  VP_ENCODED(shr, 5)
  VP_ENCODED(sar, 7)
#undef VP_ENCODED

  using Base::mov;
  void mov(const Reg& to, const Reg& from) { encode(sized(0x88, to), width(to), number(from), to); }
  void mov(const Reg& to, const Memory& from) { encode(sized(0x8a, to), width(to), number(to), from); }
  void mov(const Reg& to, const Known& from) { encode(sized(0x8a, to), width(to), number(to), from); }
  void mov(const Memory& to, const Reg& from) { encode(sized(0x88, from), width(from), number(from), to); }
  void mov(const Memory& to, std::int32_t value) {
    encode(0xc7, to.bits, 0, to);
    put(value);
  }
  void mov(const Reg& to, std::uint64_t value);
  void mov(const Xbyak::Reg8& to, int value) {
    put(static_cast<std::uint8_t>(0xb0 | number(to)));
    put(static_cast<std::uint8_t>(value));
  }
  using Base::movsxd;
  void movsxd(const Xbyak::Reg64& to, const Reg& from) { encode(0x63, 64, number(to), from); }
  void movsxd(const Xbyak::Reg64& to, const Memory& from) { encode(0x63, 64, number(to), from); }
  using Base::movsx;
  void movsx(const Reg& to, const Memory& from) { encode(0x1be | (from.bits == 16), width(to), number(to), from); }
  using Base::movzx;
  void movzx(const Reg& to, const Memory& from) { encode(0x1b6 | (from.bits == 16), width(to), number(to), from); }
  using Base::lea;
  void lea(const Reg& to, const Place& of) { encode(0x8d, width(to), number(to), Memory{of, 0}); }
  void lea(const Reg& to, const Known& of) { encode(0x8d, width(to), number(to), of); }
  using Base::test;
  void test(const Reg& one, const Reg& other) { encode(sized(0x84, one), width(one), number(other), one); }
  using Base::imul;
  void imul(const Reg& to, const Reg& by) { encode(0x1af, width(to), number(to), by); }
  void imul(const Reg& to, const Memory& by) { encode(0x1af, width(to), number(to), by); }
  using Base::paddq;
  void paddq(const Xbyak::Xmm& to, const Known& by) { encode(0x1d4, 16, number(to), by); }

  static constexpr Condition opposite(Condition one) { return static_cast<Condition>(static_cast<unsigned>(one) ^ 1); }
  // To an address that is known, by the short form where that is close.
  void jump_if(Condition condition, const void* to);
  using Base::jl;
  void jl(const void* to) { jump_if(Condition::less, to); }
  using Base::jne;
  void jne(const void* to) { jump_if(Condition::not_equal, to); }
  using Base::jmp;
  void jmp(const void* to, LabelType = T_AUTO);
  void jmp(const Memory& to) { encode(0xff, 32, 4, to); }
  void jmp(const Known& to) { encode(0xff, 32, 4, to); }
  using Base::call;
  void call(const Known& to) { encode(0xff, 32, 2, to); }
  // To an address that is known later, by aim() with the place behind the instruction.
  void jump_ahead_if(Condition condition) {
    put(static_cast<std::uint16_t>(0x800f | static_cast<unsigned>(condition) << 8));
    put(std::int32_t{0});
  }
  void jmp_ahead() {
    put(static_cast<std::uint8_t>(0xe9));
    put(std::int32_t{0});
  }
  void call_ahead() {
    put(static_cast<std::uint8_t>(0xe8));
    put(std::int32_t{0});
  }
  void aim(std::size_t behind, const void* to) {
    const auto distance = static_cast<std::int32_t>(static_cast<const std::uint8_t*>(to) - (top_ + behind));
    std::memcpy(top_ + behind - sizeof distance, &distance, sizeof distance);
  }
  /// Over what is written until land() is called with the result: not more than 127 bytes.
  std::size_t skip_if(Condition condition) {
    put(static_cast<std::uint16_t>(0x70 | static_cast<unsigned>(condition)));
    return size_;
  }
  void land(std::size_t skip) { top_[skip - 1] = static_cast<std::uint8_t>(size_ - skip); }

  template <typename Bytes>
  void put(const Bytes& bytes) {
    std::memcpy(top_ + size_, &bytes, sizeof bytes);
    size_ += sizeof bytes;
  }

 private:
  static std::uint8_t number(const Xbyak::Operand& one) { return static_cast<std::uint8_t>(one.getIdx()); }
  static unsigned width(const Xbyak::Operand& one) { return one.getBit(); }
  static unsigned width(const Memory& one) { return one.bits; }
  static bool is_accumulator(const Reg& one) { return one.getIdx() == 0; }
  static bool is_accumulator(const Memory&) { return false; }
  static unsigned sized(unsigned opcode, const Reg& one) { return opcode | static_cast<unsigned>(!one.isBit(8)); }
  // `opcode`: with 0x100 where it stands behind 0f; `reg`: what the byte behind it has beside the register or place.
  std::uint8_t* encode_opcode(unsigned opcode, unsigned bits, unsigned rex);
  void encode(unsigned opcode, unsigned bits, unsigned reg, const Xbyak::Operand& other);
  void encode(unsigned opcode, unsigned bits, unsigned reg, const Memory& memory);
  void encode(unsigned opcode, unsigned bits, unsigned reg, const Known& known);
  template <typename To>
  void encode_shift(unsigned bits, unsigned extension, const To& to, int count);
  template <typename To>
  void encode_immediate(unsigned extension, const To& to, std::uint32_t value);
  void ends(const std::uint8_t* end) { size_ = static_cast<std::size_t>(end - top_); }
};

/// Prefixes and opcode.
inline std::uint8_t* Encoder::encode_opcode(unsigned opcode, unsigned bits, unsigned rex) {
  std::uint8_t* to = top_ + size_;
  if (bits == 16) *to++ = 0x66;
  if (bits == 64) rex |= 0x48;
  if (rex != 0) *to++ = static_cast<std::uint8_t>(0x40 | rex);
  if (opcode > 0xff) *to++ = 0x0f;
  *to++ = static_cast<std::uint8_t>(opcode);
  return to;
}

inline void Encoder::encode(unsigned opcode, unsigned bits, unsigned reg, const Xbyak::Operand& other) {
  const unsigned base = number(other);
  std::uint8_t* to = encode_opcode(opcode, bits, reg >> 3 << 2 | base >> 3);
  *to++ = static_cast<std::uint8_t>(0xc0 | (reg & 7) << 3 | (base & 7));
  ends(to);
}

/// Registers 4 to 7 of 8 bits are those only behind a prefix.
inline void Encoder::encode(unsigned opcode, unsigned bits, unsigned reg, const Memory& memory) {
  constexpr unsigned kPrefix = 0x40, kIndexed = 4, kNeedsDisplacement = 5;
  const Place& place = memory.place;
  const bool indexed = place.index != Place::kNoIndex;
  const unsigned base = place.base & 7u, index = indexed ? static_cast<unsigned>(place.index) : kIndexed;
  const unsigned prefix = bits == 8 && reg >= 4 ? kPrefix : 0;
  std::uint8_t* to = encode_opcode(opcode, bits, prefix | reg >> 3 << 2 | index >> 3 << 1 | place.base >> 3u);
  const std::int32_t displacement = place.displacement;
  const bool none = displacement == 0 && base != kNeedsDisplacement;
  const bool near = displacement == static_cast<std::int8_t>(displacement);
  const unsigned first = (none ? 0x00 : near ? 0x40 : 0x80) | (reg & 7) << 3;
  if (indexed || base == kIndexed) {
    *to++ = static_cast<std::uint8_t>(first | kIndexed);
    *to++ = static_cast<std::uint8_t>((index & 7) << 3 | base);
  } else {
    *to++ = static_cast<std::uint8_t>(first | base);
  }
  std::memcpy(to, &displacement, sizeof displacement);
  ends(to + (none ? 0 : near ? 1 : 4));
}

inline void Encoder::encode(unsigned opcode, unsigned bits, unsigned reg, const Known& known) {
  std::uint8_t* to = encode_opcode(opcode, bits, reg >> 3 << 2);
  *to++ = static_cast<std::uint8_t>((reg & 7) << 3 | 5);
  const auto distance = static_cast<std::int32_t>(static_cast<const std::uint8_t*>(known.address) - (to + 4));
  std::memcpy(to, &distance, sizeof distance);
  ends(to + sizeof distance);
}

template <typename To>
void Encoder::encode_shift(unsigned bits, unsigned extension, const To& to, int count) {
  encode(count == 1 ? 0xd1 : 0xc1, bits, extension, to);
  if (count != 1) put(static_cast<std::uint8_t>(count));
}

template <typename To>
void Encoder::encode_immediate(unsigned extension, const To& to, std::uint32_t value) {
  const bool near = static_cast<std::int32_t>(value) == static_cast<std::int8_t>(value);
  if (near)
    encode(0x83, width(to), extension, to);
  else if (is_accumulator(to))
    ends(encode_opcode(extension << 3 | 5, width(to), 0));
  else
    encode(0x81, width(to), extension, to);
  near ? put(static_cast<std::uint8_t>(value)) : put(value);
}

inline void Encoder::mov(const Reg& to, std::uint64_t value) {
  const unsigned of = number(to) & 7u, prefix = number(to) >> 3u;
  const auto in_code = [&](unsigned bits) { ends(encode_opcode(0xb8 | of, bits, prefix)); };
  if (value == static_cast<std::uint32_t>(value) || to.isBit(32)) {
    in_code(32);
    put(static_cast<std::uint32_t>(value));
  } else if (static_cast<std::int64_t>(value) == static_cast<std::int32_t>(value)) {
    encode(0xc7, 64, 0, to);
    put(static_cast<std::uint32_t>(value));
  } else {
    in_code(64);
    put(value);
  }
}

inline void Encoder::jump_if(Condition condition, const void* to) {
  const std::ptrdiff_t distance = static_cast<const std::uint8_t*>(to) - getCurr();
  const auto number = static_cast<std::uint8_t>(condition);
  if (const std::ptrdiff_t behind = distance - 2; behind == static_cast<std::int8_t>(behind)) {
    put(static_cast<std::uint8_t>(0x70 | number));
    put(static_cast<std::int8_t>(behind));
  } else {
    put(static_cast<std::uint8_t>(0x0f));
    put(static_cast<std::uint8_t>(0x80 | number));
    put(static_cast<std::int32_t>(distance - 6));
  }
}

inline void Encoder::jmp(const void* to, LabelType) {
  const std::ptrdiff_t distance = static_cast<const std::uint8_t*>(to) - getCurr();
  if (const std::ptrdiff_t behind = distance - 2; behind == static_cast<std::int8_t>(behind)) {
    put(static_cast<std::uint8_t>(0xeb));
    put(static_cast<std::int8_t>(behind));
  } else {
    put(static_cast<std::uint8_t>(0xe9));
    put(static_cast<std::int32_t>(distance - 5));
  }
}

inline Memory::operator Xbyak::Address() const {
  Xbyak::RegExp sum{Xbyak::Reg64(place.base)};
  if (place.index != Place::kNoIndex) sum = sum + Xbyak::Reg64(place.index);
  return Xbyak::AddressFrame(bits)[sum + static_cast<std::size_t>(std::int64_t{place.displacement})];
}
inline Known::operator Xbyak::Address() const { return Xbyak::AddressFrame(bits)[Xbyak::util::rip + address]; }

}  // namespace vp::cpu::x86_64
