#include "platform/run/run.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <systemc>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/common/exit_code.h"
#include "platform/common/fork_server.h"
#include "platform/files/standard_streams.h"
#include "platform/files/whole_file.h"
#include "platform/linux/kernel_symbols.h"
#include "platform/linux/placement.h"
#include "platform/report/ideal_bounds.h"
#include "platform/run/access_log.h"
#include "platform/run/configuration_report.h"
#include "platform/run/kernel_messages.h"
#include "platform/run/machine_debugger.h"
#include "platform/run/machine_run.h"
#include "platform/run/provenance.h"
#include "platform/run/run_report.h"
#include "platform/run/stop_source.h"
#include "platform/run/test_host.h"
#include "platform/run/timeline_file.h"
#include "platform/run/trap_loop.h"
#include "platform/run/trap_text.h"
#include "platform/trace/instruction_trace.h"

namespace vp {

namespace {

/// So many guest errors are written to the log one by one; all are counted.
constexpr std::uint64_t kLoggedGuestErrors = 20;

constexpr const char* kNoCpu = "the machine has no CPU to run a program on (a part with kind = cpu)";

/// The register width follows the program unless the user has chosen one. Throws UserError: no CPU, or another one.
void choose_isa(const ElfProgram& program, const std::string& path, MachineSettings& settings) {
  const Outline machine = settings.outline();
  if (machine.processors.empty()) throw UserError(kNoCpu);
  if (program.xlen == machine.processors.front().xlen) return;
  const Parameter* isa = settings.table.find(machine.processors.front().part + ".isa");
  const std::string needed = program.xlen == 32 ? "rv32gc" : "rv64gc";
  if (isa->source != "default")
    throw UserError("the program '" + path + "' has " + std::to_string(program.xlen) + " bits, but " + isa->name +
                    " is " + isa->get() + " (" + isa->source + "): leave it out or set it to " + needed);
  settings.table.set(isa->name, needed, "the program");
}

/// The sentence with the place at which the CPU stands, of which it may name the address and symbol itself.
std::string with_place(const MachineEnd& end) {
  if (end.places.empty()) return end.sentence;
  const std::string& place = end.places[0];
  const std::string line = place.substr(std::min(place.find(", "), place.size()));
  const std::string address = place.substr(0, place.size() - line.size());
  const bool named = end.sentence.size() >= address.size() &&
                     end.sentence.compare(end.sentence.size() - address.size(), std::string::npos, address) == 0;
  return end.sentence + (named ? line : " at " + place);
}

/// One run from its options to its report.
class Run {
 public:
  Run(const RunOptions& options, MachineSettings& settings)
      : options_(options),
        settings_(settings),
        log_(options.log_level, options.log_file),
        access_log_(options.access_log ? std::make_unique<AccessLog>(*options.access_log, settings.outline())
                                       : nullptr),
        machine_(settings, access_log_.get()) {}

  /// Everything that can be refused.
  void prepare(ElfProgram program) {
    machine_.load(std::move(program));
    if (access_log_) access_log_->use_symbols(machine_.program().symbols);
    set_limits();
    set_hooks();
    if (options_.on_input_end == OnInputEnd::stop) machine_.end_when_only_polling();
    if (options_.on_input_end == OnInputEnd::type_end) machine_.type_end_of_input();
    if (!options_.signature_file.empty()) signature(machine_.board(), machine_.program());
    if (options_.gdb) debugger_.emplace(machine_, *options_.gdb);
    if (debugger_ && trace_) debugger_->monitor().on_trace([this](bool on) { switch_trace(on); });
  }

  /// Nothing outside the process waits for the machine to be taken apart.
  bool may_be_left() const { return machine_.host_addresses().empty() && !debugger_; }

  int operator()() {
    // It also watches over what is printed, and the report, whose figures may need a part to work something off.
    StopSource stop([this](StopSource::Reason reason) { stopped(reason); }, options_.timeout);
    source_ = &stop;
    StandardStreams::give_up_after({});  // the source knows of pauses
    log_.begin();
    if (trace_) trace_->begin();
    if (access_log_) access_log_->begin();
    for (const auto& log : instruction_logs_) log->begin();
    log_.write(LogLevel::info, 0, options_.program + " starts at " + machine_.text().place(machine_.program().entry));
    for (const auto& [part, address] : machine_.host_addresses())
      std::cerr << part << ": serial line at " << address << std::endl;
    if (debugger_) start_debugger();
    const auto started = std::chrono::steady_clock::now();
    const MachineEnd end = machine_.run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    log_.write(LogLevel::info, end.time, end.sentence);
    finish(end, seconds.count() - (debugger_ ? debugger_->stood_still().count() : 0));
    std::cout.flush();  // while it can still be told that nobody takes it
    return end.exit_code;
  }

 private:
  /// By a person at a debugger.
  void switch_trace(bool on) {
    tracing_ = on;
    machine_.cpu().core().set_tracing(on);
    trace_->flush();
  }

  void start_debugger() {
    std::cerr << "gdb: listening on " << debugger_->address();
    if (options_.gdb->kind == gdb::Place::Kind::tcp && !options_.gdb->only_this_host())
      std::cerr << ", for whoever can reach this host";
    std::cerr << (options_.gdb_wait ? "; the program waits" : "") << std::endl;
    if (options_.gdb_wait) debugger_->wait_at_start();
    debugger_->start([this](bool stands_still) { stands_still ? source_->pause() : source_->go_on(); });
  }

  void stopped(StopSource::Reason reason) {
    if (reason == StopSource::Reason::timeout)
      machine_.request_stop(EndCause::timeout, kExitLimit, "the wall-clock limit was reached");
    else
      machine_.request_stop(EndCause::interrupted, kExitInterrupted, "the user interrupted the run");
    if (debugger_) debugger_->give_up();  // it knows then why
  }

  void set_limits() {
    Picoseconds limit = kNever;
    std::string sentence;
    if (options_.max_time) {
      limit = *options_.max_time;
      sentence = "the limit of " + readable_time(limit) + " simulated time was reached";
    }
    const Picoseconds clock = machine_.cpu().config().clock;
    if (options_.max_cycles && *options_.max_cycles < limit / clock) {
      limit = *options_.max_cycles * clock;
      sentence = "the limit of " + counted(*options_.max_cycles, "CPU cycle") + " was reached";
    }
    if (limit != kNever) machine_.limit_time(limit, sentence);
    if (options_.max_instructions) machine_.limit_instructions(*options_.max_instructions);
  }

  void set_hooks() {
    cpu::Hooks hooks;
    hooks.trap = [this](const cpu::TrapRecord& trap) { trapped(trap); };
    if (!options_.trace_file.empty()) {
      cpu::TraceWindow window;
      if (!options_.trace_pc.empty()) window = parse_pc_window(options_.trace_pc, machine_.program().symbols);
      window.from = options_.trace_from;
      window.to = options_.trace_to;
      trace_.emplace(options_.trace_file, window, options_.trace_style, machine_.program().xlen,
                     machine_.program().symbols);
      hooks.trace_window = window;
      hooks.trace = [this](const cpu::TraceRecord& record) { (*trace_)(record); };
    }
    for (const auto& [first, last] : machine_.program().read_only) hooks.read_only.push_back({first, last});
    hooks.read_only_store = [this](const cpu::ReadOnlyStore& store) {
      log_.write(LogLevel::warning, store.time, describe_read_only_store(store, machine_.text()));
    };
    machine_.cpu().set_hooks(std::move(hooks));
    machine_.on_silence(
        [this](const std::string& sentence) { log_.write(LogLevel::warning, machine_.time(), sentence); });
    machine_.on_mistake(
        [this](const std::string& sentence) { log_.write(LogLevel::warning, machine_.time(), sentence); });
    machine_.on_bad_metric([this](const std::string& complaint) { warn(machine_.time(), [&] { return complaint; }); });
    machine_.board().bus().on_bad_access([this](const BadAccess& access) { refused(access); });
    if (!options_.timeline_file.empty()) machine_.board().trace(timeline_);
    for (const InstructionLogRequest& request : options_.instruction_logs) {
      instruction_logs_.push_back(
          std::make_unique<InstructionLog>(machine_.board().instructions(request.part), request.file,
                                           [this](const Origin& origin) { return machine_.text().origin(origin); }));
    }
  }

  /// Interrupts that the CPU takes, and below, at the end of the run, what devices found.
  void mark_interrupt(const cpu::TrapRecord& trap) {
    if (options_.timeline_file.empty() || !trap.interrupt) return;
    if (!interrupts_) interrupts_ = timeline_.add_track("interrupts");
    timeline_.mark(*interrupts_, trap.time,
                   cpu::cause_text(true, trap.cause) + " at " + machine_.text().place(trap.pc));
  }

  void draw_regions() {
    const RegionAccount& regions = machine_.regions();
    if (regions.visits().empty()) return;
    const Timeline::Track track = timeline_.add_track("regions");
    for (const RegionAccount::Visit& visit : regions.visits())
      timeline_.add(track, visit.begin, visit.end, regions.regions()[visit.region].name);
  }

  void mark_findings(std::vector<Finding> findings) {
    findings.erase(
        std::remove_if(findings.begin(), findings.end(), [](const Finding& finding) { return finding.time == kNever; }),
        findings.end());
    if (findings.empty()) return;
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.time < b.time; });
    const Timeline::Track track = timeline_.add_track("hazards");
    for (const Finding& finding : findings) timeline_.mark(track, finding.time, finding.text);
  }

  /// Bad accesses are guest errors, worth a warning; the other traps are the guest's everyday business.
  void trapped(const cpu::TrapRecord& trap) {
    if (trace_ && tracing_) (*trace_)(trap);
    mark_interrupt(trap);
    watch_for_loop(trap);
    if (is_access_fault(trap)) {
      warn(trap.time, [&] { return describe_trap(trap, machine_.cpu().core(), machine_.text()); });
    } else if (log_.enabled(LogLevel::debug)) {
      log_.write(LogLevel::debug, trap.time, describe_trap(trap, machine_.cpu().core(), machine_.text()));
    }
  }

  /// Those of the CPU end in traps.
  void refused(const BadAccess& access) {
    for (const Outline::Processor& cpu : machine_.board().outline().processors)
      if (cpu.part == access.initiator) return;
    warn(access.time, [&] { return machine_.text().bad_access(access); });
  }

  template <typename Text>
  void warn(Picoseconds time, Text text) {
    if (++bad_accesses_ > kLoggedGuestErrors || !log_.enabled(LogLevel::warning)) return;
    log_.write(LogLevel::warning, time, text());
    if (bad_accesses_ == kLoggedGuestErrors)
      log_.write(LogLevel::warning, time, "further bad accesses are counted, not listed");
  }

  void watch_for_loop(const cpu::TrapRecord& trap) {
    const cpu::Core& hart = machine_.cpu().core();
    const auto memory = [this](std::uint64_t address, std::uint64_t& word) { return machine_.read(address, word); };
    if (!trap_loop_.add(trap, hart.retired(), memory)) return;
    const auto text = [&](const cpu::TrapRecord& one) { return describe_trap(one, hart, machine_.text()); };
    machine_.end_in_trap_loop("a trap handler that traps itself, for ever: " + text(trap) +
                              "; it began with: " + text(trap_loop_.beginning()));
  }

  void finish(const MachineEnd& end, double seconds) {
    report_run(machine_, end, seconds, statistics_);
    machine_.report(statistics_);
    const Bounds bounds = machine_.bounds();
    report_bounds(bounds, statistics_);
    report_regions(machine_, statistics_);
    machine_.flush_consoles();
    std::vector<Finding> findings = machine_.findings();
    if (trace_) trace_->close();
    if (access_log_) access_log_->close();
    for (const auto& log : instruction_logs_) log->end();
    log_.close();
    if (!options_.timeline_file.empty()) {
      mark_findings(findings);
      draw_regions();
      timeline_.finish(end.time);
      write_timeline(timeline_, options_.timeline_file);
    }
    if (!options_.signature_file.empty())
      write_file(options_.signature_file, signature(machine_.board(), machine_.program()));
    std::ostringstream report;
    if (options_.report != ReportDetail::none)
      print_report({end, machine_.fidelity(), bounds, machine_.regions().regions(), std::move(findings),
                    machine_.cpu().core().retired(), seconds, machine_.cpu().core().generates_code()},
                   statistics_, options_.report, report);
    else if (end.cause != EndCause::guest_exit)
      report << "tinytpu-vp: " << with_place(end) << '\n';
    if (!options_.stats_file.empty()) {
      report_configuration(settings_.table, statistics_);
      write_statistics_file(statistics_, provenance_, options_.stats_file);
    }
    std::cerr << report.str();
  }

  const RunOptions& options_;
  const MachineSettings& settings_;
  RunLog log_;
  const std::unique_ptr<AccessLog> access_log_;
  MachineRun machine_;
  Timeline timeline_;
  std::optional<Timeline::Track> interrupts_;
  const ProvenanceFigures provenance_ = provenance_of(options_.program, options_.stats_file);
  std::optional<InstructionTrace> trace_;
  bool tracing_ = true;
  std::vector<std::unique_ptr<InstructionLog>> instruction_logs_;
  StopSource* source_ = nullptr;
  std::uint64_t bad_accesses_ = 0;
  TrapLoop trap_loop_;
  std::optional<MachineDebugger> debugger_;
  Statistics statistics_;
};

/// They are loaded, and at a reset loaded again, as segments of the program are.
void add_loaded_files(ElfProgram& program, const RunOptions& options, const MachineSettings& settings) {
  for (const RunOptions::LoadedFile& file : options.loaded_files) {
    StoredBytes content = StoredBytes::of_file(file.path);
    ElfProgram with_file;
    const std::size_t size = content.size();
    with_file.segments.push_back({file.address, size, std::move(content)});
    fit_segments(with_file, loadable_ranges(settings.outline()), file.path);
    program.segments.push_back(std::move(with_file.segments.front()));
  }
}

}  // namespace

void fit_program(ElfProgram& program, const std::string& path, MachineSettings& settings) {
  choose_isa(program, path, settings);
  fit_segments(program, loadable_ranges(settings.outline()), path);
}

ElfProgram place_linux(const std::string& kernel, const RunOptions::LinuxBoot& boot, const MachineSettings& settings) {
  const Outline machine = settings.outline();
  if (machine.processors.empty()) throw UserError(kNoCpu);
  const std::vector<LoadableRange> memories = loadable_ranges(machine);
  if (memories.empty()) throw UserError("the machine has no memory for a kernel (a part with kind = memory)");
  ElfProgram program = linux_boot::place(linux_boot::read_boot_files(kernel, boot.initrd, boot.firmware),
                                         memories.front(), machine.processors.front().xlen, settings.device_tree());
  if (!boot.symbols.empty()) {
    program.symbols = linux_boot::parse_kernel_symbols(read_file(boot.symbols), boot.symbols);
    program.path = boot.symbols;  // which may have lines, too
  }
  return program;
}

int run_machine(const RunOptions& options, MachineSettings& settings, const std::function<void()>& ready) {
  ElfProgram program;
  if (options.linux_boot) {
    program = place_linux(options.program, *options.linux_boot, settings);
  } else {
    program = read_elf(options.program);
    fit_program(program, options.program, settings);
  }
  add_loaded_files(program, options, settings);
  for (const std::string& path : {options.stats_file, options.timeline_file, options.signature_file})
    if (!path.empty()) check_writable(path);
  tame_kernel_messages();
  auto run = std::make_unique<Run>(options, settings);
  run->prepare(std::move(program));
  ready();
  const int code = (*run)();
  if (ForkServer::in_copy() && run->may_be_left()) static_cast<void>(run.release());
  return code;
}

}  // namespace vp
