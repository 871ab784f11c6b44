#include "platform/check/tinytpu_sha256.h"

#include <array>
#include <cmath>

namespace vp::tinytpu_check {
namespace {

/// The standard's constants: 32 bits behind the point of the square (power 1/2) or cube (1/3) roots of the first
/// primes.
template <std::size_t kCount>
std::array<std::uint32_t, kCount> root_fractions(long double power) {
  std::array<std::uint32_t, kCount> words{};
  unsigned found = 0;
  for (unsigned n = 2; found < kCount; ++n) {
    bool prime = true;
    for (unsigned d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    const long double root = std::pow(static_cast<long double>(n), power);
    words[found++] = static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
  }
  return words;
}

std::uint32_t rotate(std::uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

void absorb(std::array<std::uint32_t, 8>& state, const std::uint8_t* block) {
  static const auto constants = root_fractions<64>(1.0L / 3);
  std::array<std::uint32_t, 64> w{};
  for (unsigned i = 0; i < 16; ++i)
    w[i] = static_cast<std::uint32_t>(block[4 * i]) << 24 | static_cast<std::uint32_t>(block[4 * i + 1]) << 16 |
           static_cast<std::uint32_t>(block[4 * i + 2]) << 8 | block[4 * i + 3];
  for (unsigned i = 16; i < 64; ++i) {
    const std::uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    const std::uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> round{a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i) state[i] += round[i];
}

}  // namespace

std::string sha256_hex(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint8_t> message = bytes;
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8)
    message.push_back(static_cast<std::uint8_t>(std::uint64_t{bytes.size()} * 8 >> shift));
  std::array<std::uint32_t, 8> state = root_fractions<8>(0.5L);
  for (std::size_t at = 0; at < message.size(); at += 64) absorb(state, &message[at]);
  std::string text;
  for (std::uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 0xF];
  return text;
}

}  // namespace vp::tinytpu_check
