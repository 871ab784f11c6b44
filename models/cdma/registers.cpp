#include "models/cdma/registers.h"

namespace vp::cdma {
namespace {

/// The low `bits` (0 to 32) of a register.
Registers::Word low(unsigned bits) { return static_cast<Registers::Word>((std::uint64_t{1} << bits) - 1); }

}  // namespace

Registers::Registers(unsigned btt_width, unsigned address_width) {
  btt.write_mask = low(btt_width);
  sa_msb.write_mask = low(address_width - 32);
  da_msb.write_mask = low(address_width - 32);
}

}  // namespace vp::cdma
