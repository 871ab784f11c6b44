#include "models/cdma/config.h"

namespace vp::cdma {

void CdmaConfig::declare(const ParameterGroup& group) {
  declare_port(group, "its memory port");
  group.integer("btt_width", btt_width, 8, 26, "bits", "width of the register of bytes to transfer");
  group.integer("address_width", address_width, 32, 64, "bits", "width of source and destination address");
  group.boolean("include_dre", include_dre,
                "whether it realigns data: source and destination may lie at different places of a port word");
  group.integer("outstanding", outstanding, 1, 64, "bursts", "under way at a time on each of its two channels");
}

}  // namespace vp::cdma
