#include "models/matmul/script_runner.h"

#include <algorithm>

#include "models/matmul/host_commands.h"

namespace vp::matmul {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

}  // namespace

ScriptRunner::ScriptRunner(const CoreConfig& config, const StopRequest* stop) : core_(config), stop_(stop) {
  core_.add_observer(recorder_);
}

ScriptResult ScriptRunner::run(const Script& script, std::uint64_t max_clocks) {
  ScriptResult result;
  result.name = script.name;
  result.start = core_.cycle();
  result.expected_messages = script.programs.size();
  const std::size_t errata_before = core_.errata().events().size();
  const std::uint64_t unlisted_before = core_.errata().unlisted();
  const std::uint64_t limit = max_clocks == 0 ? kNoLimit : core_.cycle() + max_clocks;

  const bool sent = send(start_commands(script), limit);
  result.end = sent ? settle(limit, result) : ScriptEnd::limit;
  if (result.end != ScriptEnd::limit && result.end != ScriptEnd::hang) {
    // Stops the threads as the original's driver does after the last message; an endless one comes to rest by it.
    send({update_command(0)}, kNoLimit);
    ScriptResult ignored;
    settle(kNoLimit, ignored);
  }
  result.finish = core_.cycle();
  collect(result);
  const auto& errata = core_.errata().events();
  result.errata.assign(errata.begin() + static_cast<std::ptrdiff_t>(errata_before), errata.end());
  result.unlisted_errata = core_.errata().unlisted() - unlisted_before;
  return result;
}

bool ScriptRunner::send(const std::vector<std::uint8_t>& bytes, std::uint64_t limit) {
  for (std::uint8_t byte : bytes) {
    const std::uint64_t first = core_.line_free_at();
    core_.put_frame(byte, first);
    core_.advance_to(std::min(first - 1 + core_.config().frame_clocks(), limit));
    if (over(limit)) return false;
  }
  return true;
}

ScriptEnd ScriptRunner::settle(std::uint64_t limit, ScriptResult& result) {
  while (!core_.at_rest() || core_.next_event() != kNoLimit) {
    if (core_.hung_thread() >= 0) {
      result.stuck_thread = static_cast<unsigned>(core_.hung_thread());
      return ScriptEnd::hang;
    }
    if (stuck(result)) return ScriptEnd::endless;
    if (over(limit)) return ScriptEnd::limit;
    core_.advance_to(std::min(core_.next_event(), limit));
  }
  return ScriptEnd::finished;
}

// A program counter past the memory's end has seen every word of it, and none was TERM: nobody stores another one any
// more.
bool ScriptRunner::stuck(ScriptResult& result) const {
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const Thread& unit = core_.thread(thread);
    if (!core_.enabled(thread) || unit.at_rest() || unit.pc() < 4 * core_.config().imem_words) continue;
    result.stuck_thread = thread;
    return true;
  }
  return false;
}

void ScriptRunner::collect(ScriptResult& result) {
  result.runs = recorder_.take();
  const std::vector<SentFrame> frames = core_.take_frames();
  std::vector<std::uint8_t> bytes;
  bytes.reserve(frames.size());
  for (const SentFrame& frame : frames) bytes.push_back(frame.byte);
  const DecodedBytes decoded = decode_messages(bytes, core_.config());
  const std::size_t length = core_.config().message_bytes();
  for (std::size_t i = 0; i < decoded.messages.size(); ++i) {
    const std::uint64_t last = frames[(i + 1) * length - 1].start_cycle;
    result.messages.push_back(
        {decoded.messages[i], frames[i * length].start_cycle, last + core_.config().frame_clocks() - 1});
  }
  result.undecoded_bytes = bytes.size() - decoded.rest;
}

}  // namespace vp::matmul
