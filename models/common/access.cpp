#include "models/common/access.h"

#include <algorithm>

namespace vp {
namespace {

template <typename Unsigned, typename Signed>
Unsigned result_of(AtomicOperation operation, Unsigned memory, Unsigned operand) {
  const auto is_less = static_cast<Signed>(memory) < static_cast<Signed>(operand);
  switch (operation) {
    case AtomicOperation::swap:
      break;
    case AtomicOperation::add:
      return memory + operand;
    case AtomicOperation::exclusive_or:
      return memory ^ operand;
    case AtomicOperation::bitwise_and:
      return memory & operand;
    case AtomicOperation::bitwise_or:
      return memory | operand;
    case AtomicOperation::minimum:
      return is_less ? memory : operand;
    case AtomicOperation::maximum:
      return is_less ? operand : memory;
    case AtomicOperation::minimum_unsigned:
      return std::min(memory, operand);
    case AtomicOperation::maximum_unsigned:
      return std::max(memory, operand);
  }
  return operand;
}

}  // namespace

std::uint64_t apply(AtomicOperation operation, unsigned size, std::uint64_t memory, std::uint64_t operand) {
  if (size == 4)
    return result_of<std::uint32_t, std::int32_t>(operation, static_cast<std::uint32_t>(memory),
                                                  static_cast<std::uint32_t>(operand));
  return result_of<std::uint64_t, std::int64_t>(operation, memory, operand);
}

}  // namespace vp
