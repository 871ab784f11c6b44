#pragma once

#include <string>

#include "platform/report/timeline.h"

namespace vp {

/// Writes the file that a report reads. Nothing for an empty path. Throws UserError.
void write_timeline(const Timeline& timeline, const std::string& path);

}  // namespace vp
