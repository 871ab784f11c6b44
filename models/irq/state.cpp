#include "models/common/archive.h"
#include "models/irq/clint_core.h"
#include "models/irq/plic_core.h"

namespace vp {

void ClintCore::persist(Archive& archive) {
  archive("registers", bank_)("offset", offset_)("software", software)("timer", timer);
  archive("timer_interrupts", timer_interrupts_)("software_interrupts", software_interrupts_);
  if (archive.version() >= 2) archive("supervisor_compare", supervisor_compare_)("supervisor_timer", supervisor_timer);
}

void PlicCore::Source::persist(Archive& archive) {
  archive.same("edge", edge)("line", line)("pending", pending)("in_service", in_service)("edge_kept", edge_kept);
  archive("requests", requests)("claims", claims);
}

void PlicCore::persist(Archive& archive) {
  archive.fixed("sources", sources_)("registers", bank_);
  for (Context& context : contexts_) archive("output", context.output);
}

}  // namespace vp
