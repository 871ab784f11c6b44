#pragma once

#include <cstdint>
#include <vector>

#include "models/tensil/core.h"

namespace vp::tensil {

/// What one layer of a network took, summed over frames.
struct Layer {
  std::uint32_t program_counter = 0;  ///< of its first instruction, in the first frame
  std::uint64_t instructions = 0;
  std::uint64_t useful_multiply_accumulates = 0;
  std::uint64_t bytes_read[2] = {};  ///< by port
  std::uint64_t bytes_written[2] = {};
  double stream_waited = 0;  ///< cycles in front of its instructions while there was none
  ActivityCounts counts;

  double cycles() const;
};

/// The parts of a TCU that its instructions wait for, one after another.
enum class Bound : std::uint8_t { array, dram0, dram1, accumulator_moves, simd, stream };
inline constexpr unsigned kBounds = 6;
const char* name_of(Bound bound);
/// Cycles that the instruction stream spent at a part, its waiting included.
double cycles_at(const Layer& layer, Bound bound);
/// The part with the most of them.
Bound bound_of(const Layer& layer);

/// Tells a program's time by layers, as far as the program shows them: one begins where vectors of DRAM0 are read that
/// the one before it has written. For one thread.
class LayerAccount : private CoreObserver {
 public:
  explicit LayerAccount(Core& core);

  /// A frame begins: its first instruction is the first of the first layer. What comes before any is not counted.
  void begin_frame();
  const std::vector<Layer>& layers() const { return layers_; }

 private:
  void executed(std::uint32_t program_counter, const Instruction& in, Picoseconds pushed, std::uint64_t begin,
                std::uint64_t end) override;
  bool reads_own_output(const Instruction& in) const;
  void note_output(const Instruction& in);
  void begin_layer(std::uint32_t program_counter);
  void count(const Instruction& in);

  const Core& core_;
  std::vector<Layer> layers_;
  std::size_t present_ = 0;             ///< number of layers of this frame so far
  bool counting_ = false;               ///< in a frame
  std::uint32_t epoch_ = 0;             ///< number of the present layer, over all frames
  std::vector<std::uint32_t> written_;  ///< by vector of DRAM0: the epoch that wrote it last
  std::uint64_t macs_ = 0;              ///< of the core up to the last instruction
  std::uint64_t end_ = 0;               ///< of the last instruction, in half cycles
};

}  // namespace vp::tensil
