// A plug-in that was built against the headers of another version.
#include "models/common/plugin.h"

extern "C" const vp::Plugin* tinytpu_vp_plugin() {
  static const vp::PartKind* const kinds[] = {nullptr};
  static const vp::Plugin plugin = {"tinytpu-vp 0.0.1, libstdc++ ABI 1 with C++ 201703L, SystemC 2.3.4", kinds};
  return &plugin;
}
