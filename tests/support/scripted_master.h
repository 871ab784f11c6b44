#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "models/common/overlapping_master.h"
#include "models/common/tlm_time.h"

namespace vp {

/// A master with several accesses under way whose transfers a test gives; it notes what it is told.
class ScriptedMaster : public sc_core::sc_module, private MasterPort::Client {
 public:
  explicit ScriptedMaster(sc_core::sc_module_name module_name, OverlappingMaster::Options options = {})
      : sc_module(module_name), port("port", options) {
    port.attach(*this);
  }

  OverlappingMaster port;
  std::vector<std::pair<MasterPort::Tag, Picoseconds>> issues;       ///< tag, time
  std::vector<std::pair<MasterPort::Tag, Picoseconds>> completions;  ///< likewise
  std::vector<Answer> answers;                                       ///< in the order of completions
  std::function<void(MasterPort::Tag)> then;                         ///< called at each completion

 private:
  void issued(MasterPort::Tag tag, Picoseconds time) override {
    if (time != kernel_time()) SC_REPORT_FATAL(name(), "told of an issue at another time");
    issues.emplace_back(tag, time);
  }
  void completed(MasterPort::Tag tag, const Answer& answer) override {
    if (answer.completion != kernel_time()) SC_REPORT_FATAL(name(), "told of a completion at another time");
    completions.emplace_back(tag, answer.completion);
    answers.push_back(answer);
    if (then) then(tag);
  }
};

}  // namespace vp
