#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <utility>

namespace vp::cpu::x86_64 {

/// Pairs of numbers that code adds: blocks mostly have the same ones, so they are few and stay in the cache of the
/// host.
class Constants {
 public:
  struct alignas(16) Pair {
    std::uint64_t lower;
    std::uint64_t upper;
  };

  Constants(std::uint8_t* memory, std::size_t size)
      : pairs_(reinterpret_cast<Pair*>(memory)), most_(size / sizeof(Pair)) {}

  bool room_for(std::size_t more) const { return known_.size() + more <= most_; }
  /// Where these are; there must be room.
  const Pair* place(std::uint64_t lower, std::uint64_t upper) {
    const auto [known, fresh] = known_.try_emplace({lower, upper}, pairs_ + known_.size());
    if (fresh) new (known->second) Pair{lower, upper};
    return known->second;
  }
  void clear() { known_.clear(); }

 private:
  Pair* const pairs_;
  const std::size_t most_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Pair*> known_;
};

}  // namespace vp::cpu::x86_64
