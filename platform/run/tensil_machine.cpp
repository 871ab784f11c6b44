#include "platform/run/tensil_machine.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <ostream>
#include <systemc>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/instruction_source.h"
#include "models/common/machine_roles.h"
#include "models/common/tlm_time.h"
#include "models/tensil/asm.h"
#include "models/tensil/core_report.h"
#include "models/tensil/machine_roles.h"
#include "platform/board/board.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/timeline.h"
#include "platform/run/configuration_report.h"
#include "platform/run/instruction_file.h"
#include "platform/run/kernel_messages.h"
#include "platform/run/provenance.h"
#include "platform/run/stop_source.h"
#include "platform/run/tensil_files.h"
#include "platform/run/tensil_report.h"
#include "platform/run/timeline_file.h"

namespace vp {
namespace {

using namespace tensil;

/// Simulated time between two looks at whether the run is to end.
constexpr Picoseconds kStep = 1'000'000'000;
/// Offsets of the DRAM ports are in units of so many bytes.
constexpr std::uint64_t kUnit = 1 << 16;
/// Vectors of a move of constants to local memory.
constexpr std::uint64_t kMostVectors = 1024;

std::uint64_t round_up(std::uint64_t value) { return (value + kUnit - 1) / kUnit * kUnit; }

/// A machine with a TCU, and the host in its CPU's place.
class TensilMachine : private RunControl {
 public:
  TensilMachine(const TensilRunOptions& options, const Model& model, const MachineSettings& settings)
      : options_(options), model_(model), board_(settings, *this, stop_request_) {
    for (const auto& [part, accelerator] : board_.roles().all<Accelerator>()) {
      if (tcu_ != nullptr) break;
      part_ = part;
      tcu_ = accelerator;
    }
    if (tcu_ == nullptr) throw UserError("--tmodel: the machine has no Tensil TCU (NAME.kind=tensil)");
    for (const auto& [part, feeder] : board_.roles().all<StreamFeeder>())
      if (feeder->leads_to() == part_) feeder_ = feeder;
    if (feeder_ == nullptr)
      throw UserError("--tmodel: no DMA engine of the machine leads to " + part_ +
                      " (NAME.kind=axidma, NAME.mm2s=" + part_ + ")");
    check();
    find_places();
    layers_.emplace(tcu_->sequencer().core());
    board_.set_fidelity(settings.fidelity);
    time_limit_ = options.max_time;
  }

  Board& board() { return board_; }
  const Core& core() const { return tcu_->sequencer().core(); }
  const TensilConfig& config() const { return tcu_->config(); }
  InstructionSource& instructions() { return board_.instructions(part_); }
  void stop() { stop_ = true; }
  bool limit_reached() const { return limit_reached_; }
  Picoseconds frames_time() const { return frames_time_; }
  const std::vector<Layer>& layers() const { return layers_->layers(); }
  const std::string& part() const { return part_; }
  std::vector<vp::Finding> findings() const { return board_.findings({}); }

  /// Constants into DRAM1, the program into memory, and the settings of the TCU. Returns whether that is done.
  bool prepare(const std::string& program) {
    const unsigned length = config().architecture.vector_bytes();
    for (const Model::Constants& constants : model_.constants) {
      const std::string content = read_tensil_companion(options_.model, constants.file, constants.size * length);
      std::memcpy(at(dram1_ + constants.base * length), content.data(), content.size());
    }
    arm_probe();
    if (!feed(settings_program())) return false;
    program_ = program;
    for (const Instruction& instruction : probe()) append(program_, instruction);
    return true;
  }
  /// Returns whether the frame is done: its probe has come.
  bool run_frame(const std::vector<std::uint8_t>& frame) {
    const unsigned length = config().architecture.vector_bytes();
    const std::uint8_t* from = frame.data();
    for (const Model::Tensor& input : model_.inputs) {
      std::memcpy(at(dram0_ + input.base * length), from, input.size * length);
      from += input.size * length;
    }
    arm_probe();
    layers_->begin_frame();
    const Picoseconds start = kernel_time();
    const bool done = feed(program_);
    frames_time_ += std::max(kernel_time(), tcu_->sequencer().ended()) - start;
    return done;
  }
  std::vector<TensilOutput> outputs(std::string& raw) {
    return read_outputs(model_, raw, [this](std::uint64_t offset, std::uint8_t* bytes, std::size_t count) {
      std::memcpy(bytes, at(dram0_ + offset), count);
    });
  }

 private:
  // RunControl: nobody executes a program here but the TCU, which stops by itself.
  void end_with_success() override {}
  void end_with_code(unsigned) override {}
  void reset_by_guest() override {}
  void switch_fidelity(Fidelity) override {}
  void enter_region(std::uint64_t) override {}
  void report_metric(std::uint64_t, std::uint32_t) override {}

  void check() const {
    if (const std::string other = difference(config().architecture, model_.architecture); !other.empty())
      throw UserError(options_.model + ": is compiled for one architecture and runs on no other: of " + part_ + " " +
                      other + " (" + part_ + ".arch takes a .tarch file)");
  }

  /// Memory for the program, DRAM0 and DRAM1, each at a multiple of 64 KiB in the low 4 GiB: DRAM1 in the last memory
  /// of the machine if it has room, else behind DRAM0 as Tensil's driver has it.
  void find_places() {
    const Architecture& a = config().architecture;
    const std::uint64_t length = a.vector_bytes();
    const std::uint64_t own[3] = {round_up(model_.program_bytes + 4096), round_up(a.dram0_depth * length),
                                  round_up(a.dram1_depth * length)};
    std::vector<LoadableMemory*> memories;
    for (const auto& [part, memory] : board_.roles().all<LoadableMemory>()) memories.push_back(memory);
    const auto take = [&](LoadableMemory* memory, std::uint64_t& used, std::uint64_t bytes, std::uint64_t& place) {
      place = round_up(memory->base() + used);
      if (place + bytes > memory->base() + memory->size() || place + bytes > std::uint64_t{1} << 32) return false;
      used = place + bytes - memory->base();
      return true;
    };
    for (LoadableMemory* first : memories) {
      std::uint64_t used = 0, last_used = 0;
      if (!take(first, used, own[0], program_place_) || !take(first, used, own[1], dram0_)) continue;
      if (memories.back() != first && take(memories.back(), last_used, own[2], dram1_)) return;
      if (take(first, used, own[2], dram1_)) return;
    }
    throw UserError("--tmodel: no memory of the machine has room for DRAM0 and DRAM1 of " + part_ + " (" +
                    std::to_string((own[0] + own[1] + own[2]) >> 20) + " MiB with the program, in the low 4 GiB)");
  }

  std::uint8_t* at(std::uint64_t address) {
    for (const auto& [part, memory] : board_.roles().all<LoadableMemory>())
      if (address >= memory->base() && address - memory->base() < memory->size())
        return memory->data() + (address - memory->base());
    throw std::logic_error("no memory at an address that was found in one");
  }

  void append(std::string& program, const Instruction& instruction) const {
    const InstructionBytes bytes = core().layout().encode(instruction);
    program.append(bytes.begin(), bytes.begin() + core().layout().instruction_bytes());
  }
  Instruction instruction(Operation operation) const {
    Instruction made;
    made.operation = operation;
    made.opcode = core().layout().opcode_of(operation);
    return made;
  }
  Instruction configure(ConfigRegister which, std::uint64_t value) const {
    Instruction made = instruction(Operation::configure);
    made.config_register = static_cast<std::uint32_t>(which);
    made.config_value = static_cast<std::uint32_t>(value);
    return made;
  }
  Instruction move(DataFlow flow, std::uint64_t local, std::uint64_t other, std::uint64_t vectors) const {
    Instruction made = instruction(Operation::data_move);
    made.flags = static_cast<std::uint32_t>(flow);
    made.address0 = static_cast<std::uint32_t>(local);
    made.address1 = static_cast<std::uint32_t>(other);
    made.size = static_cast<std::uint32_t>(vectors - 1);
    return made;
  }
  /// The last two instructions of a program: the end shows in DRAM0. It waits for all threads.
  std::vector<Instruction> probe() const {
    const Architecture& a = config().architecture;
    std::vector<Instruction> all;
    for (unsigned thread = 1; thread < a.number_of_threads; ++thread) {
      all.push_back(instruction(Operation::no_op));
      all.back().address0 = thread;
    }
    all.push_back(move(DataFlow::dram0_to_local, a.local_depth - 1, a.dram0_depth - 1, 1));
    all.push_back(move(DataFlow::local_to_dram0, a.local_depth - 1, a.dram0_depth - 2, 1));
    return all;
  }
  std::string settings_program() const {
    std::string program;
    append(program, configure(ConfigRegister::dram0_offset, dram0_ / kUnit));
    append(program, configure(ConfigRegister::dram1_offset, dram1_ / kUnit));
    if (options_.sample_interval != 0)
      append(program, configure(ConfigRegister::sample_interval, options_.sample_interval));
    if (model_.load_constants_to_local)
      for (const Model::Constants& constants : model_.constants)
        for (std::uint64_t done = 0; done < constants.size; done += kMostVectors)
          append(program, move(DataFlow::dram1_to_local, constants.base + done, constants.base + done,
                               std::min(kMostVectors, constants.size - done)));
    for (const Instruction& one : probe()) append(program, one);
    return program;
  }
  /// The two vectors differ until the program's end makes them equal.
  void arm_probe() {
    const std::uint64_t length = config().architecture.vector_bytes(), depth = config().architecture.dram0_depth;
    std::memset(at(dram0_ + (depth - 1) * length), 0, length);
    std::memset(at(dram0_ + (depth - 2) * length), 0xFF, length);
  }
  bool probe_has_come() {
    const std::uint64_t length = config().architecture.vector_bytes(), depth = config().architecture.dram0_depth;
    return std::memcmp(at(dram0_ + (depth - 1) * length), at(dram0_ + (depth - 2) * length), length) == 0;
  }

  /// Streams a program and waits for its end.
  bool feed(const std::string& program) {
    std::memcpy(at(program_place_), program.data(), program.size());
    for (std::uint64_t done = 0; done < program.size();) {
      const std::uint64_t piece = std::min<std::uint64_t>(program.size() - done, feeder_->longest());
      feeder_->feed(program_place_ + done, piece, kernel_time());
      if (!run_until_nothing_happens()) return false;
      done += piece;
    }
    return probe_has_come();
  }
  bool run_until_nothing_happens() {
    while (!stop_ && !core().stopped() && kernel_time() < time_limit_) {
      if (!sc_core::sc_pending_activity()) return true;
      sc_core::sc_start(to_sc_time(std::min(kStep, time_limit_ - kernel_time())), sc_core::SC_EXIT_ON_STARVATION);
    }
    limit_reached_ = kernel_time() >= time_limit_;
    return false;
  }

  const TensilRunOptions& options_;
  const Model& model_;
  StopRequest stop_request_;
  Board board_;
  std::string part_;
  Accelerator* tcu_ = nullptr;
  StreamFeeder* feeder_ = nullptr;
  std::optional<LayerAccount> layers_;
  std::uint64_t program_place_ = 0, dram0_ = 0, dram1_ = 0;
  std::string program_;
  std::atomic<bool> stop_{false};
  Picoseconds time_limit_ = kNever;
  bool limit_reached_ = false;
  Picoseconds frames_time_ = 0;
};

/// Why the run ended early, with its exit code; success if it did not.
int print_end(const TensilMachine& run, StopSource::Reason reason, bool all_done, std::ostream& out) {
  if (const auto& stop = run.core().stopped()) {
    out << "stopped at program counter " << stop->program_counter << ": "
        << disassemble(run.core().layout(), stop->instruction) << ": " << stop->reason << '\n';
    return kExitGuestError;
  }
  if (reason == StopSource::Reason::interrupted) {
    out << "the user interrupted the run\n";
    return kExitInterrupted;
  }
  if (reason == StopSource::Reason::timeout) out << "the wall-clock limit was reached\n";
  if (run.limit_reached()) out << "the limit of simulated time was reached\n";
  if (reason == StopSource::Reason::timeout || run.limit_reached()) return kExitLimit;
  if (all_done) return kExitSuccess;
  out << "the program came to no end: its probe in DRAM0 was never written\n";
  return kExitGuestError;
}

void write_machine_statistics(TensilMachine& run, const TensilRunOptions& options, const MachineSettings& settings,
                              const TensilDone& done, int exit_code, const ProvenanceFigures& provenance) {
  if (options.stats_file.empty()) return;
  Statistics statistics;
  Statistics& group = statistics.group("run", "the run as a whole");
  const double seconds = static_cast<double>(run.frames_time()) / 1e12;
  group.add("exit_code", static_cast<std::uint64_t>(exit_code), "1", "exit code of tinytpu-vp");
  group.add("fidelity", std::string(name_of(settings.fidelity)), "mode of the machine");
  group.add("simulated_time", static_cast<double>(kernel_time()) / 1e3, "ns",
            "simulated time" + times_doubt(run.core()));
  group.add("cycles", done.cycles, "cycles", "of all frames, of the TCU's clock" + times_doubt(run.core()));
  group.add("frames", done.frames, "1", "inputs run to their end");
  if (done.frames > 0 && seconds > 0)
    group.add("frames_per_second", static_cast<double>(done.frames) / seconds, "1/s",
              "without the driver's own time" + times_doubt(run.core()));
  run.board().report(statistics);
  report_layers(run.layers(), statistics.group(run.part()));
  Bounds bounds;
  (settings.fidelity == Fidelity::timed ? bounds.timed_time : bounds.functional_time) = kernel_time();
  run.board().bounds(bounds);
  report_bounds_of(run.core(), bounds, statistics);
  report_configuration(settings.table, statistics);
  write_statistics_file(statistics, provenance, options.stats_file);
}

}  // namespace

void leave_processors_out(MachineSettings& settings) {
  for (const Outline::Processor& processor : settings.outline().processors)
    settings.table.set(processor.part + ".present", "false", "--tmodel");
}

int run_tensil_machine(const TensilRunOptions& options, const Model& model, MachineSettings& settings,
                       std::ostream& out) {
  tame_kernel_messages();
  leave_processors_out(settings);
  const std::vector<std::string> classes = read_classes(options.classes);
  const Frames frames = read_frames(options, model);
  for (const std::string& path : {options.stats_file, options.output, options.timeline_file})
    if (!path.empty()) check_writable(path);
  const ProvenanceFigures provenance = provenance_of(options.model, options.stats_file);
  TensilMachine run(options, model, settings);
  std::optional<InstructionLog> log;
  if (options.instruction_log) log.emplace(run.instructions(), options.instruction_log->file).begin();
  const std::string program = read_tensil_program(options.model, model, run.config());
  Timeline timeline;
  if (!options.timeline_file.empty()) run.board().trace(timeline);
  const StopSource source([&run](StopSource::Reason) { run.stop(); }, options.timeout);
  out << "model " << model.name << ": " << run.config().architecture.format().name << ", "
      << run.config().architecture.array_size << " × " << run.config().architecture.array_size << ", DRAM ports of "
      << run.config().axi_width << " bits on the machine's bus, " << name_of(settings.fidelity) << '\n';
  std::string raw;
  std::uint64_t done = 0;
  const bool prepared = run.prepare(program);
  for (; prepared && done < frames.size(); ++done) {
    if (!run.run_frame(frames[done])) break;
    print_outputs(done, run.outputs(raw), classes, run.config().architecture.format(), out);
  }
  run.board().bus().settle();
  if (log) log->end();
  const int exit_code = print_end(run, source.reason(), done == frames.size(), out);
  const TensilDone figures{std::max<std::uint64_t>(done, 1), run.frames_time() / run.config().clock_period,
                           run.layers()};
  print_run(run.core(), run.config(), figures, out);
  for (const vp::Finding& finding : run.findings()) out << "finding               " << finding.text << '\n';
  if (!options.output.empty()) write_file(options.output, raw);
  if (!options.timeline_file.empty()) {
    timeline.finish(kernel_time());
    write_timeline(timeline, options.timeline_file);
  }
  write_machine_statistics(run, options, settings, {done, figures.cycles, {}}, exit_code, provenance);
  if (const std::string wrong = run.board().broken_conservation(); !wrong.empty())
    SC_REPORT_FATAL("machine", wrong.c_str());
  return exit_code;
}

}  // namespace vp
