#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace vp {

/// What became of one golden case.
struct CaseResult {
  enum class Outcome { passed, failed, skipped };
  std::string name;  ///< the case's id as its file gives it
  Outcome outcome = Outcome::failed;
  std::string detail;  ///< for a failure the first difference (field, place, expected, got); for a skip its reason
};

/// What a format may ask of `check`.
struct CheckContext {
  std::string path;                               ///< of the file, for finding its companions
  std::function<void(const std::string&)> print;  ///< a line for the user that is no verdict (tables of errors)
};

/// One kind of golden file. `check` gives a JSON file to the first format that recognises it; a file that none
/// recognises is a failure.
struct GoldenFormat {
  const char* name;  ///< for messages: "tinytpu-golden-1"
  bool (*recognises)(const nlohmann::json& file);
  /// Runs all cases of the file; no case for a file that only accompanies others. Throws UserError for a malformed
  /// file.
  std::vector<CaseResult> (*run)(const nlohmann::json& file, const CheckContext& context);
};

}  // namespace vp
