#pragma once

#include <array>
#include <cstdint>

namespace vp {
class Archive;
}

namespace vp::tensil {

/// What an instruction keeps busy: the kinds by which time is told.
enum class Activity : std::uint8_t {
  mat_mul,
  load_weight,
  simd,
  dram0_read,
  dram0_write,
  dram1_read,
  dram1_write,
  accumulator_move,
  load_lut,
  configure,
  no_op,    ///< NoOp and Wait
  skipped,  ///< instructions without meaning
};
inline constexpr unsigned kActivities = 12;

/// "mat_mul", "dram0_read" …
const char* name_of(Activity activity);

inline bool is_dram(Activity activity) { return activity >= Activity::dram0_read && activity <= Activity::dram1_write; }

/// Counts of one activity.
struct ActivityCount {
  std::uint64_t instructions = 0;
  std::uint64_t vectors = 0;
  double cycles = 0;          ///< of the instruction stream
  double work = 0;            ///< of the unit: data on a port, vectors through the array; of SIMD beside the stream
  double waited = 0;          ///< of `cycles`, beyond the work: for memory, for the array to drain, for the SIMD queue
  std::uint64_t samples = 0;  ///< of the sampling stream that fell into it

  bool any() const { return instructions != 0; }
  void persist(Archive& archive);
};

using ActivityCounts = std::array<ActivityCount, kActivities>;

}  // namespace vp::tensil
