#include "models/tinytpu/activation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/tinytpu/isa.h"

namespace vp::tinytpu {
namespace {

// The hardware's two sigmoid tables follow these formulas exactly (README, Arithmetic).
constexpr int kUnsignedLast = 164;  // above: 255
constexpr int kSignedFirst = -88;   // below: 0
constexpr int kSignedLast = 70;     // above: 127

/// With an entry for everything above the last.
using UnsignedTable = std::array<std::uint8_t, kUnsignedLast + 2>;
/// With entries for everything below the first and above the last.
using SignedTable = std::array<std::uint8_t, kSignedLast - kSignedFirst + 3>;

UnsignedTable make_unsigned_table() {
  UnsignedTable table{};
  for (int r = 0; r <= kUnsignedLast; ++r)
    table[r] = static_cast<std::uint8_t>(std::floor(256 / (1 + std::exp(-r / 32.0)) + 0.5));
  table.back() = 255;
  return table;
}

SignedTable make_signed_table() {
  SignedTable table{};
  for (int r = kSignedFirst; r <= kSignedLast; ++r)
    table[r - kSignedFirst + 1] = static_cast<std::uint8_t>(std::floor(128 / (1 + std::exp(-r / 16.0)) + 0.5));
  table.back() = 127;
  return table;
}

std::uint8_t unsigned_entry(std::uint32_t a) {
  const auto r = static_cast<int>(((a >> 11) + (a >> 10 & 1)) & 0x1FFFFF);
  return static_cast<std::uint8_t>(std::min(r, kUnsignedLast + 1));
}

std::uint8_t signed_entry(std::uint32_t a) {
  const std::uint32_t wrapped = ((a >> 12) + (a >> 11 & 1)) & 0xFFFFF;
  const int r = static_cast<int>(wrapped ^ 0x80000) - 0x80000;
  return static_cast<std::uint8_t>(std::clamp(r, kSignedFirst - 1, kSignedLast + 1) - (kSignedFirst - 1));
}

std::uint8_t relu_unsigned(std::uint32_t a) {
  const std::uint32_t r = ((a >> 8) + (a >> 7 & 1)) & 0xFFFFFF;
  return static_cast<std::uint8_t>(r > 255 ? 255 : r);
}

std::uint8_t relu_signed(std::uint32_t a) {
  const std::uint32_t wrapped = ((a >> 8) + (a >> 7 & 1)) & 0xFFFFFF;
  const int r = static_cast<int>(wrapped ^ 0x800000) - 0x800000;
  return static_cast<std::uint8_t>(r < 0 ? 0 : r > 127 ? 127 : r);
}

std::uint8_t none(std::uint32_t a) { return static_cast<std::uint8_t>(a >> 24); }

template <std::uint8_t (*function)(std::uint32_t)>
void map_row(const std::uint32_t* in, std::uint8_t* out, unsigned count) {
  for (unsigned i = 0; i < count; ++i) out[i] = function(in[i]);
}

/// Entries first, which the host computes several at a time.
template <std::uint8_t (*entry)(std::uint32_t), typename Table>
void look_up_row(const std::uint32_t* in, std::uint8_t* out, unsigned count, const Table& table) {
  map_row<entry>(in, out, count);
  for (unsigned i = 0; i < count; ++i) out[i] = table[out[i]];
}

void sigmoid_row(const std::uint32_t* in, std::uint8_t* out, unsigned count, bool is_signed) {
  static const UnsignedTable unsigned_table = make_unsigned_table();
  static const SignedTable signed_table = make_signed_table();
  is_signed ? look_up_row<signed_entry>(in, out, count, signed_table)
            : look_up_row<unsigned_entry>(in, out, count, unsigned_table);
}

}  // namespace

void activate_row(const std::uint32_t* in, std::uint8_t* out, unsigned count, unsigned code, bool is_signed) {
  switch (static_cast<ActivationFunction>(code)) {
    case ActivationFunction::relu:
      return is_signed ? map_row<relu_signed>(in, out, count) : map_row<relu_unsigned>(in, out, count);
    case ActivationFunction::sigmoid:
      return sigmoid_row(in, out, count, is_signed);
    case ActivationFunction::none:
      break;
  }
  map_row<none>(in, out, count);
}

std::uint8_t activate_value(std::uint32_t accumulator, unsigned code, bool is_signed) {
  std::uint8_t out = 0;
  activate_row(&accumulator, &out, 1, code, is_signed);
  return out;
}

}  // namespace vp::tinytpu
