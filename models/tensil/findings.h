#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace vp {
class Archive;
}

namespace vp::tensil {

/// What a program does that the hardware does not do well.
enum class FindingKind : std::uint8_t {
  illegal_instruction,  ///< an opcode, data flow or SIMD combination that is skipped, stalls or loses data
  address_beyond,       ///< an address beyond a memory, which wraps
  lost_accumulation,    ///< two adjacent accumulating writes to one row: the hardware loses the first
  unwritten_read,       ///< a row read that nothing was ever written to
  unordered_threads,    ///< two threads share a row, an array or registers without a Wait between them
};
inline constexpr unsigned kFindingKinds = 5;

/// "illegal instructions", "addresses beyond a memory" …
const char* name_of(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::illegal_instruction;
  std::uint32_t program_counter = 0;
  std::string text;
  void persist(Archive& archive);
};

/// Counts findings and keeps the first of each kind.
class Findings {
 public:
  /// Whether the text of another finding of this kind would be kept.
  bool keeps(FindingKind kind) const { return count(kind) < kKept; }
  void add(FindingKind kind, std::uint32_t program_counter, const std::string& text) {
    if (keeps(kind)) kept_.push_back({kind, program_counter, text});
    ++counts_[static_cast<unsigned>(kind)];
  }
  std::uint64_t count(FindingKind kind) const { return counts_[static_cast<unsigned>(kind)]; }
  const std::vector<Finding>& kept() const { return kept_; }
  void persist(Archive& archive);

 private:
  static constexpr std::uint64_t kKept = 8;
  std::array<std::uint64_t, kFindingKinds> counts_{};
  std::vector<Finding> kept_;
};

}  // namespace vp::tensil
