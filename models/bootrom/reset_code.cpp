#include "models/bootrom/reset_code.h"

#include <array>

namespace vp {
namespace {

constexpr unsigned kT0 = 5, kT1 = 6, kA0 = 10, kA1 = 11, kA2 = 12;
constexpr unsigned kMhartid = 0xF14;

constexpr std::uint32_t auipc(unsigned rd, std::uint32_t upper) { return upper << 12 | rd << 7 | 0x17; }
constexpr std::uint32_t load(unsigned rd, unsigned base, unsigned offset, bool wide) {
  return offset << 20 | base << 15 | (wide ? 3u : 2u) << 12 | rd << 7 | 0x03;
}
constexpr std::uint32_t csrr(unsigned rd, unsigned csr) { return csr << 20 | 2u << 12 | rd << 7 | 0x73; }
constexpr std::uint32_t jr(unsigned base) { return base << 15 | 0x67; }

void append(std::vector<std::uint8_t>& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

}  // namespace

std::vector<std::uint8_t> ResetCode::bytes() const {
  constexpr unsigned kEntryAt = 24, kDeviceTreeAt = 32, kArgumentAt = 40;
  const bool wide = xlen == 64;
  std::array<std::uint32_t, 6> code{
      auipc(kT0, 0),
      load(kA1, kT0, kDeviceTreeAt, wide),
      load(kT1, kT0, kEntryAt, wide),
      csrr(kA0, kMhartid),
      jr(kT1),
      0,  // an illegal instruction; the data after it are aligned
  };
  if (argument) {
    code[4] = load(kA2, kT0, kArgumentAt, wide);
    code[5] = jr(kT1);
  }
  std::vector<std::uint8_t> result;
  for (const std::uint32_t instruction : code) append(result, instruction, 4);
  append(result, entry, 8);
  append(result, device_tree, 8);
  if (argument) append(result, *argument, 8);
  return result;
}

}  // namespace vp
