#include "models/common/origin.h"

#include "models/common/archive.h"

namespace vp {

void Origin::persist(Archive& archive) { archive("initiator", initiator)("pc", pc); }

std::string words(const char* before, const Origin& origin, const OriginText& text, const char* after) {
  if (!text || !origin.known()) return "";
  return before + text(origin) + after;
}

}  // namespace vp
