#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platform/report/report_data.h"
#include "platform/sweep/sweep_folder.h"

namespace vp {

/// The settings of a point as reports show them: besides the swept ones what tells the sweeps of one folder apart,
/// where it differs between them.
class ShownSettings {
 public:
  explicit ShownSettings(const std::vector<SweepJob>& jobs);
  Settings of(const SweepJob& job, const SweepPoint& point) const;

 private:
  std::set<std::string> commands_;
  std::set<std::string> builds_;
  bool inputs_differ_ = false;
};

/// All points of a folder for the page. Throws UserError: a damaged folder, axes that its points have not.
nlohmann::ordered_json sweep_document(const std::string& path, const SweepAxes& axes);

}  // namespace vp
