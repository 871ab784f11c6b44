#include "platform/common/json_templates.h"

namespace nlohmann {
VP_JSON_TEMPLATES()
}  // namespace nlohmann
