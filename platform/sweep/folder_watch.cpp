#include "platform/sweep/folder_watch.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "models/common/error.h"

namespace vp {

FolderWatch::FolderWatch(const std::vector<const SweepPoint*>& points, const SweepFolder& folder, SweepMonitor& monitor)
    : open_(points.begin(), points.end()), folder_(&folder), monitor_(&monitor) {}

bool FolderWatch::look() {
  open_.remove_if([this](const SweepPoint* point) {
    if (folder_->is_finished(point->hash)) {
      monitor_->ended(*point, "", nullptr);
      return true;
    }
    const auto failure = folder_->failure(point->hash);
    if (failure) monitor_->ended(*point, failure->message, nullptr);
    return failure.has_value();
  });
  monitor_->tick();
  return open_.empty();
}

void FolderWatch::abandon(const std::string& message) {
  for (const SweepPoint* point : open_) folder_->write_failure(*point, message);
  look();
}

void require_program(const std::string& program, const std::string& engine, const std::string& package) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0) return;
  throw UserError("--engine " + engine + " needs the program " + program + " (package " + package + ")");
}

}  // namespace vp
