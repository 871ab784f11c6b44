#include "models/common/bus_window.h"

#include <cinttypes>
#include <cstdio>

namespace vp {

std::string hexadecimal(std::uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%08" PRIx64, value);
  return text;
}

std::string BusWindow::text() const { return name + " (" + hexadecimal(base) + " to " + hexadecimal(last()) + ")"; }

}  // namespace vp
