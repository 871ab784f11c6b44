#pragma once

#include "models/common/part.h"
#include "models/common/version.h"

namespace vp {

/// What a shared library for `tinytpu-vp --plugin` hands over: VP_PLUGIN makes the one C function that is looked for.
/// Only the first member is read before it has been found to be ours, so it never moves.
struct Plugin {
  const char* abi;               ///< kPluginAbi of the headers it was built with
  const PartKind* const* kinds;  ///< ends with nullptr
};

inline constexpr const char* kPluginEntry = "tinytpu_vp_plugin";

}  // namespace vp

/// In one source of the library: VP_PLUGIN(&my_kind, &my_other_kind)
#define VP_PLUGIN(...)                                                                      \
  extern "C" __attribute__((visibility("default"))) const vp::Plugin* tinytpu_vp_plugin() { \
    static const vp::PartKind* const kinds[] = {__VA_ARGS__, nullptr};                      \
    static const vp::Plugin plugin = {vp::kPluginAbi, kinds};                               \
    return &plugin;                                                                         \
  }
