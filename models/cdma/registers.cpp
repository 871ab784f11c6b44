#include "models/cdma/registers.h"

#include "models/common/axi_port_config.h"

namespace vp::cdma {

Registers::Registers(unsigned btt_width, unsigned address_width) {
  btt.write_mask = low_bits(btt_width);
  sa_msb.write_mask = low_bits(address_width - 32);
  da_msb.write_mask = low_bits(address_width - 32);
}

}  // namespace vp::cdma
