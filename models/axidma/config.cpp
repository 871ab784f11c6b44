#include "models/axidma/config.h"

namespace vp::axidma {

void AxiDmaConfig::declare(const ParameterGroup& group) {
  group.text("mm2s", mm2s, "part that its stream from memory leads to, such as tensil0; empty: none");
  group.text("s2mm", s2mm, "part whose packets it writes to memory; empty: none");
  declare_port(group, "its memory ports and streams");
  group.integer("length_width", length_width, 8, 26, "bits", "width of the registers of bytes to transfer");
  group.integer("address_width", address_width, 32, 64, "bits", "width of source and destination address");
  group.integer("outstanding", outstanding, 1, 64, "bursts", "of MM2S that are under way or wait in its buffer");
}

}  // namespace vp::axidma
