#pragma once

#include <memory>
#include <vector>

#include "models/common/horizon.h"
#include "models/common/host_wake.h"
#include "models/common/liveness.h"
#include "models/common/outline.h"
#include "models/common/part.h"
#include "models/common/roles.h"
#include "models/common/stop_request.h"

namespace vp {

/// Parts that are built without a machine around them, for what they say of themselves: their lines lead nowhere, and
/// no simulation starts.
class LoneParts {
 public:
  LoneParts();
  ~LoneParts();
  LoneParts(const LoneParts&) = delete;
  LoneParts& operator=(const LoneParts&) = delete;

  /// The part lives as long as this. Throws UserError for what the host refuses.
  const Part& build(const PartSettings& settings);

 private:
  class LoneSite;

  Horizon horizon_;
  Liveness liveness_{horizon_};
  HostWake host_wake_;
  StopRequest stop_;
  Roles roles_;
  const Outline no_machine_;
  std::vector<std::unique_ptr<LoneSite>> sites_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace vp
