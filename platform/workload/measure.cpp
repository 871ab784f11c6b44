#include "platform/workload/measure.h"

#include <algorithm>
#include <cstring>

#include "models/common/error.h"
#include "platform/common/exit_code.h"
#include "platform/run/kernel_messages.h"
#include "platform/run/machine_run.h"
#include "platform/run/stop_source.h"
#include "platform/workload/mover_program.h"

namespace vp::workload {
namespace {

constexpr const char* kName = "the mover of --workload";

/// The mover with its table in memory, fit for the machine's CPU and memories.
ElfProgram mover_for(const Outline& machine, const std::vector<mover_job>& jobs) {
  if (machine.processors.empty()) throw UserError("the machine has no CPU to move rows (a part with kind = cpu)");
  const EmbeddedProgram& file = machine.processors.front().xlen == 32 ? kMover32 : kMover64;
  ElfProgram program = parse_elf({reinterpret_cast<const char*>(file.bytes), file.size}, kName);
  ElfProgram::Segment table;
  table.address = MOVER_TABLE;
  table.memory_size = MOVER_SOURCE - MOVER_TABLE;
  std::string bytes(offsetof(mover_table, jobs) + jobs.size() * sizeof(mover_job), '\0');
  const std::uint64_t count = jobs.size();
  std::memcpy(bytes.data() + offsetof(mover_table, count), &count, sizeof count);
  std::memcpy(bytes.data() + offsetof(mover_table, jobs), jobs.data(), jobs.size() * sizeof(mover_job));
  table.bytes = std::move(bytes);
  program.segments.push_back(std::move(table));
  const std::vector<LoadableRange> memories = loadable_ranges(machine);
  fit_segments(program, memories, kName);
  const bool room = std::any_of(memories.begin(), memories.end(), [](const LoadableRange& memory) {
    return memory.base <= MOVER_TABLE && memory.size > MOVER_END - 1 - memory.base;
  });
  if (!room) throw UserError(std::string(kName) + " needs memory from 0x80000000 to 0x81ffffff");
  return program;
}

std::uint64_t word_at(const MachineRun& machine, std::uint64_t address) {
  std::uint64_t word = 0;
  machine.peek(address, word);
  return word;
}

}  // namespace

Measurement measure(const std::vector<mover_job>& jobs, const MachineSettings& settings,
                    std::chrono::duration<double> timeout) {
  ElfProgram program = mover_for(settings.outline(), jobs);
  tame_kernel_messages();
  MachineRun machine(settings);
  machine.load(std::move(program));
  const StopSource stop(
      [&](StopSource::Reason reason) {
        if (reason == StopSource::Reason::timeout)
          machine.request_stop(EndCause::timeout, kExitLimit, "the wall-clock limit was reached");
        else
          machine.request_stop(EndCause::interrupted, kExitInterrupted, "the user interrupted the run");
      },
      timeout);
  const MachineEnd end = machine.run();
  Measurement measurement;
  if (end.cause == EndCause::timeout || end.cause == EndCause::interrupted) {
    measurement.exit_code = end.exit_code;
    measurement.sentence = end.sentence;
    return measurement;
  }
  if (end.cause != EndCause::guest_exit || end.exit_code != kExitSuccess)
    throw UserError(std::string(kName) + " does not work on this machine: " + end.sentence + ", a driver says error " +
                    std::to_string(word_at(machine, MOVER_TABLE + offsetof(mover_table, error))));
  measurement.cost = machine.bounds().cost;
  const Picoseconds clock = machine.cpu().config().clock;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::uint64_t job = MOVER_TABLE + offsetof(mover_table, jobs) + i * sizeof(mover_job);
    measurement.jobs.push_back({clock * word_at(machine, job + offsetof(mover_job, cycles)),
                                word_at(machine, job + offsetof(mover_job, count))});
  }
  return measurement;
}

}  // namespace vp::workload
