#include "models/tinytpu/network.h"

/// How long a network takes: a figure that the hardware's own project published.
unsigned published_cycles() {
  using namespace vp::tinytpu;
  return static_cast<unsigned>(time_network({}, {{784, 504, 10}, NetworkLayout::original}, {104}).cycles);
}
