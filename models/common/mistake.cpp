#include "models/common/mistake.h"

#include "models/common/archive.h"
#include "models/common/wording.h"

namespace vp {

void Mistake::persist(Archive& archive) { archive("number", number)("time", time)("origin", origin); }

void tell(std::vector<Finding>& all, const Mistake& mistake, const char* thing, const std::string& before,
          const char* after, const OriginText& origin) {
  if (mistake.number == 0) return;
  const std::string by = words(mistake.number > 1 ? " (first by " : " (by ", mistake.origin, origin, ")");
  all.push_back({before + counted(mistake.number, thing) + by + after, mistake.time});
}

}  // namespace vp
