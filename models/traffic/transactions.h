#pragma once

#include <cstdint>
#include <random>

#include "models/traffic/config.h"

namespace vp {

class Archive;

/// What a generator accesses, transaction after transaction: addresses inside its window, reads and writes.
class TrafficTransactions {
 public:
  struct Transaction {
    std::uint64_t address = 0;  ///< of its first byte
    bool write = false;
  };

  explicit TrafficTransactions(const TrafficConfig& config);
  Transaction next();
  void persist(Archive& archive);

 private:
  const bool random_order_;
  const std::uint64_t base_;
  const std::uint64_t distance_;  // bytes from one place to the next
  const std::uint64_t places_;    // where a burst may begin
  const unsigned writes_;         // percent
  std::mt19937_64 random_;
  std::uint64_t place_ = 0;
};

}  // namespace vp
