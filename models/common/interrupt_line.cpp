#include "models/common/interrupt_line.h"

#include "models/common/archive.h"

namespace vp {

void InterruptLine::persist(Archive& archive) { archive("level", level_); }

}  // namespace vp
