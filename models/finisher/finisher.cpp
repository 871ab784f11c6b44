#include "models/finisher/finisher.h"

#include "models/common/archive.h"

namespace vp {

Finisher::Finisher(sc_core::sc_module_name module_name)
    : sc_module(module_name), socket("socket", core_, {FinisherCore::kWindow, 4}) {}

void Finisher::persist(Archive& archive) { archive("core", core_)("socket", socket); }

}  // namespace vp
