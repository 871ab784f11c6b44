#pragma once

namespace vp {

/// Switches a terminal to raw input (every key at once, no echo; Ctrl-C and output processing stay) for as long as it
/// lives. Does nothing if the descriptor is no terminal or this process is in its background. The terminal is restored
/// when the object is destroyed, when the process exits by any path of the C library, and when a fatal signal that
/// nobody handles ends it.
class RawTerminal {
 public:
  explicit RawTerminal(int descriptor);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  bool active() const { return active_; }

 private:
  bool active_ = false;
};

}  // namespace vp
