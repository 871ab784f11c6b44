#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/cpu/debug.h"

namespace vp::cpu {

/// The breakpoints and watchpoints of a hart.
class DebugPoints {
 public:
  void insert_breakpoint(std::uint64_t address);
  bool remove_breakpoint(std::uint64_t address);
  bool breakpoint_at(std::uint64_t address) const;

  /// false: no bytes, or beyond the end of the addresses.
  bool insert_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length);
  bool remove_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length);
  /// Some byte from first to last is watched for reads (writes).
  bool watches(bool write, std::uint64_t first, std::uint64_t last) const {
    return find(write, first, last) != nullptr;
  }
  /// What stops the hart after such an access, if anything does.
  std::optional<DebugStop> hit(bool write, std::uint64_t first, std::uint64_t last) const;

  void clear();

 private:
  struct Watchpoint {
    Watch watch;
    std::uint64_t first;
    std::uint64_t last;
    bool operator==(const Watchpoint& other) const {
      return watch == other.watch && first == other.first && last == other.last;
    }
  };
  const Watchpoint* find(bool write, std::uint64_t first, std::uint64_t last) const;

  std::vector<std::uint64_t> breakpoints_;  // sorted
  std::vector<Watchpoint> watchpoints_;
};

}  // namespace vp::cpu
