#pragma once

#include <cstdint>

namespace vp::matmul {

/// Number of hardware threads.
inline constexpr unsigned kThreads = 2;

/// The defects of the original hardware; each can be switched off to see what a repaired device would do.
struct Errata {
  bool late_load_hang = true;  ///< a LOAD granted while the other thread computes starts with a used-up counter
  bool fifo_byte_loss = true;  ///< bytes in flight when the transmit FIFO becomes full are dropped
  bool cts_byte_loss = true;   ///< bytes that reach the FIFO's head while CTS is low are dropped
};

/// Sizes of one device. The defaults are those of the original.
struct CoreConfig {
  unsigned mesh = 2;              ///< tiles per side of the array (MESHUNITS)
  unsigned tile = 2;              ///< processing elements per side of a tile (TILEUNITS)
  unsigned symbol_clocks = 1085;  ///< clocks per line symbol, both directions
  unsigned imem_words = 256;      ///< instruction words per thread, a power of two
  unsigned bmem_words = 65536;    ///< words of the shared block memory, a power of two
  unsigned tx_fifo_bytes = 256;   ///< depth of the transmit FIFO
  Errata errata;

  /// Rows and columns of a matrix.
  unsigned side() const { return mesh * tile; }
  /// Words of a matrix.
  unsigned block_words() const { return side() * side(); }
  /// Clocks from one frame's start to the next one's when they follow back to back: ten symbols and one idle clock.
  std::uint64_t frame_clocks() const { return 10 * std::uint64_t{symbol_clocks} + 1; }
  /// Bytes of a message on the line: count, header, matrix.
  unsigned message_bytes() const { return 5 + 4 * block_words(); }
};

}  // namespace vp::matmul
