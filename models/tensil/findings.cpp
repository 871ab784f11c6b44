#include "models/tensil/findings.h"

namespace vp::tensil {

const char* name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::illegal_instruction:
      return "illegal instructions";
    case FindingKind::address_beyond:
      return "addresses beyond a memory";
    case FindingKind::lost_accumulation:
      return "adjacent accumulating writes to one row, of which the hardware loses the first";
    case FindingKind::unwritten_read:
      return "reads of rows that nothing was written to";
    case FindingKind::unordered_threads:
      return "instructions that share rows or registers with another thread without a Wait";
  }
  return "";
}

}  // namespace vp::tensil
