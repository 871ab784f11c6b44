// What an AXI CDMA does, for a person at a debugger.
#include "models/cdma/core.h"
#include "models/common/wording.h"

namespace vp::cdma {

std::vector<std::string> Core::work() const {
  if (!engine_.under_way()) return {end_ ? "a copy ends" : "no copy is under way"};
  return {"copies " + counted(engine_.copy().bytes, "byte") + ": " + counted(engine_.bytes_to_read(), "byte") +
          " still to be asked for, " + counted(engine_.bytes_to_send(), "byte") + " to be written"};
}

}  // namespace vp::cdma
