#pragma once

#include <list>
#include <string>
#include <vector>

#include "platform/sweep/engine.h"

namespace vp {

/// Watches the folder of a sweep while tasks elsewhere leave their results in it.
class FolderWatch {
 public:
  FolderWatch(const std::vector<const SweepPoint*>& points, const SweepFolder& folder, SweepMonitor& monitor);

  /// Reports points that have ended since the last look. Returns true when none is open any more.
  bool look();
  /// Gives the open points up: each gets a failure with this message.
  void abandon(const std::string& message);

 private:
  std::list<const SweepPoint*> open_;
  const SweepFolder* folder_;
  SweepMonitor* monitor_;
};

/// Throws UserError unless `program` can be found in PATH. engine, package: for the sentence.
void require_program(const std::string& program, const std::string& engine, const std::string& package);

}  // namespace vp
