#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "tests/support/slow_host.h"

namespace vp {

/// The rounds of a test that draws at random. As one of all tests it takes always the same few; asked to by the
/// environment, it goes on from another seed and for so many seconds: VP_FUZZ_SEED=7 VP_FUZZ_SECONDS=3600. A host that
/// is many times slower (slow_host()) does fewer by that, but always one.
class Rounds {
 public:
  explicit Rounds(unsigned usual) : usual_(std::max(1u, usual / slow_host())) {}

  /// Whether there is another one.
  bool next() {
    ++done_;
    if (seconds_ == 0) return done_ <= usual_;
    return std::chrono::steady_clock::now() - begun_ < std::chrono::seconds(seconds_);
  }
  /// Of the present one.
  unsigned seed() const { return first_ + done_; }

 private:
  static unsigned from_environment(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? 0 : static_cast<unsigned>(std::stoul(text));
  }

  const unsigned usual_;
  const unsigned first_ = from_environment("VP_FUZZ_SEED"), seconds_ = from_environment("VP_FUZZ_SECONDS");
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  unsigned done_ = 0;
};

}  // namespace vp
