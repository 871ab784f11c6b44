#include "models/matmul/work.h"

#include "models/common/wording.h"
#include "models/matmul/isa.h"

namespace vp::matmul {

namespace {

std::string thread_text(const Core& core, unsigned number) {
  const Thread& thread = core.thread(number);
  if (thread.at_rest()) return core.enabled(number) ? "idle" : "disabled";
  std::string text = "at " + std::to_string(thread.pc()) + ": " + to_text(decode(thread.word()));
  if (core.load_hangs(number)) return text + ", which hangs";
  const ThreadOutputs& asks = thread.outputs();
  if (asks.load_request) text += ", on the LOAD path or waiting for it";
  if (asks.comp_request) text += ", on the COMP path or waiting for it";
  if (asks.write_request && !core.write_path().lock(number)) text += ", waiting for the WRITE lock";
  return text;
}

}  // namespace

std::vector<std::string> work_of(const Core& core) {
  std::vector<std::string> lines = {"clock " + std::to_string(core.cycle())};
  for (unsigned number = 0; number < kThreads; ++number)
    lines.push_back("thread " + std::to_string(number) + ": " + thread_text(core, number));
  const WritePath& path = core.write_path();
  lines.push_back("transmit FIFO: " + counted(path.fifo_count(), "byte") +
                  (path.waits_for_cts(core.cycle(), core.cts()) ? ", waiting for CTS"
                   : path.idle(core.cycle())                    ? ""
                                                                : ", one on the line"));
  lines.push_back(std::string("host commands: ") +
                  (core.loader().between_commands() ? "none under way" : "waiting for the rest of one"));
  return lines;
}

}  // namespace vp::matmul
