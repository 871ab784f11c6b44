#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/stop_request.h"
#include "models/matmul/core.h"
#include "models/matmul/messages.h"
#include "models/matmul/run_recorder.h"
#include "models/matmul/script.h"

namespace vp::matmul {

/// How a script's run ended.
enum class ScriptEnd {
  finished,  ///< both threads at rest, everything sent
  hang,      ///< a thread waits 2^32 clocks for its LOAD (errata late_load_hang)
  endless,   ///< a thread's program has no TERM in its whole memory: it was disabled by the runner
  limit,     ///< the limit of clocks was reached, or the run is to stop
};

/// A message and when it was on the line.
struct ReceivedMessage {
  Message message;
  std::uint64_t first_start;  ///< clock of its first start bit
  std::uint64_t end;          ///< clock at which the line is idle again
};

/// What a script did. Clocks count from the device's reset, over all scripts of a runner.
struct ScriptResult {
  std::string name;
  ScriptEnd end = ScriptEnd::finished;
  unsigned stuck_thread = 0;          ///< the thread that hangs or loops
  std::uint64_t start = 0;            ///< clock before the first bit sent to the device
  std::uint64_t finish = 0;           ///< clock at which the device was at rest again (or given up)
  std::size_t expected_messages = 0;  ///< what the original's driver waits for: one a TEXT section
  std::vector<ReceivedMessage> messages;
  std::uint64_t undecoded_bytes = 0;  ///< received after the last whole message: bytes were lost
  RunRecorder::Runs runs;             ///< by thread
  std::vector<ErrataEvent> errata;    ///< struck during this script
  std::uint64_t unlisted_errata = 0;  ///< more than the list holds
};

/// A host on a perfect line that runs scripts one after the other on one device, as the original's driver does: stores,
/// thread 0's program and start, thread 1's program and start, then everything the device sends, then both threads
/// disabled. It ends where the original's driver waits for ever: it watches the device instead of counting messages.
class ScriptRunner {
 public:
  /// stop: a script ends as at a limit once it asks for it; nullptr: none. Not owned.
  explicit ScriptRunner(const CoreConfig& config, const StopRequest* stop = nullptr);

  /// Runs a script; the device keeps its memories and B banks from the one before. max_clocks: given up after so many;
  /// 0 for no limit. After a hang only a new runner helps.
  ScriptResult run(const Script& script, std::uint64_t max_clocks = 0);
  const Core& core() const { return core_; }
  Core& core() { return core_; }

 private:
  /// Sends bytes back to back. False if the limit was reached.
  bool send(const std::vector<std::uint8_t>& bytes, std::uint64_t limit);
  ScriptEnd settle(std::uint64_t limit, ScriptResult& result);
  bool stuck(ScriptResult& result) const;
  bool over(std::uint64_t limit) const { return core_.cycle() >= limit || (stop_ && stop_->asked()); }
  void collect(ScriptResult& result);

  Core core_;
  RunRecorder recorder_;
  const StopRequest* stop_;
};

}  // namespace vp::matmul
