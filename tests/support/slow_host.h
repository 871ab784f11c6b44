#pragma once

#include <cstdlib>
#include <string>

namespace vp {

/// How many times slower this host is than those that random rounds and limits of time are meant for: once, or as the
/// environment's VP_SLOW_HOST says, for an emulated one (tests/cross).
inline unsigned slow_host() {
  const char* const text = std::getenv("VP_SLOW_HOST");
  return text == nullptr ? 1 : static_cast<unsigned>(std::stoul(text));
}

}  // namespace vp
