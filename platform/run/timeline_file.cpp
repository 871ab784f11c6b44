#include "platform/run/timeline_file.h"

#include <sstream>

#include "platform/files/whole_file.h"

namespace vp {

void write_timeline(const Timeline& timeline, const std::string& path) {
  if (path.empty()) return;
  std::ostringstream text;
  timeline.write_json(text);
  write_file(path, text.str());
}

}  // namespace vp
