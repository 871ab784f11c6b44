#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "models/common/machine_roles.h"
#include "models/cpu/cpu.h"
#include "platform/board/board.h"
#include "platform/board/fidelity_clock.h"
#include "platform/files/stored_bytes.h"
#include "platform/loader/elf_file.h"
#include "platform/run/access_text.h"
#include "platform/run/end_key.h"
#include "platform/run/guest_metrics.h"
#include "platform/run/input_end.h"
#include "platform/run/machine_end.h"
#include "platform/run/region_account.h"
#include "platform/run/test_host.h"

namespace vp {

class Archive;
class MachineObserver;

/// The memories of a machine, as the loader sees them.
std::vector<LoadableRange> loadable_ranges(const Outline& machine);

/// One run of a program on a machine: load, limits, ends. Owns the machine; one a process, since SystemC elaborates
/// once.
class MachineRun : private RunControl {
 public:
  /// A machine with a CPU. observer: see Board. Throws UserError: what Board refuses.
  explicit MachineRun(const MachineSettings& settings, MachineObserver* observer = nullptr);
  ~MachineRun() override;

  /// Copies a program, which must fit (fit_segments), into memory; a reset of the machine copies it again.
  void load(ElfProgram program);
  /// Runs until the guest, a limit or a stop request ends it.
  MachineEnd run();
  /// The CPU starts no instruction at or after `time`; `sentence` is how the run then has ended. An access of the CPU
  /// that is still not answered bus.timeout later is abandoned, here and after a stop request.
  void limit_time(Picoseconds time, std::string sentence);
  void limit_instructions(std::uint64_t retired);
  /// Types Ctrl-D where the input of a console has ended and the CPU idles. Before the run.
  void type_end_of_input() { end_key_.begin(); }
  /// Ends the run when the CPU does nothing but poll a console whose input has ended.
  void end_when_only_polling();
  /// From within the hook that is told of traps.
  void end_in_trap_loop(std::string sentence);
  /// Told of the end, with the CPU halted and all of the machine standing still. True: the program is to be started
  /// again, and the run goes on.
  void on_end(std::function<bool(const MachineEnd&)> callback) { on_end_ = std::move(callback); }
  /// A debugger ends the run.
  void end_by_debugger();
  /// Reset of the machine, with the program as it was loaded.
  void start_over();
  /// How the run would end with the latest trap, which nobody handles.
  std::string unhandled_trap_sentence() const;
  /// As what the run would end, of a fault that a debugger is shown.
  EndCause fault() const { return fault_; }
  /// Told of lines of a console that begin as a metric of the guest and are none, and of register METRIC likewise.
  void on_bad_metric(std::function<void(const std::string&)> callback) { on_bad_metric_ = std::move(callback); }
  /// Told once, after a second of wall-clock time in which the CPU has slept and only input from the host can wake it.
  void on_silence(std::function<void(const std::string&)> callback) { on_silence_ = std::move(callback); }
  /// Told of what the program does wrong with the platform's own registers, each mistake once.
  void on_mistake(std::function<void(const std::string&)> callback) { on_mistake_ = std::move(callback); }
  /// Ends the run soon. From any thread.
  void request_stop(EndCause cause, int exit_code, std::string sentence);

  /// The run goes on, the CPU is at an instruction boundary, and every access has been answered (but may complete
  /// later). Then the machine's state can be saved, else persist() throws UserError; what comes from the host and goes
  /// there is no state. Loading: into a machine that has not executed an instruction (Cpu::hold), at the kernel's time
  /// at which the state was saved. Between calls of sc_start().
  bool quiet();
  /// Goes on to the next moment that is quiet, in steps of a nanosecond; no result of the run changes. false: there is
  /// none within `patience`, or the run has ended.
  bool run_until_quiet(Picoseconds patience);
  void persist(Archive& archive);

  Board& board() { return board_; }
  const Board& board() const { return board_; }
  cpu::Cpu& cpu() { return cpu_; }
  const cpu::Cpu& cpu() const { return cpu_; }
  const ElfProgram& program() const { return program_; }
  /// Which figures come from which mode.
  FidelityFigures fidelity() const;
  /// What the parts contribute to the question what bounds the run.
  Bounds bounds() const;
  /// What happened in the regions that the program has named. They are of this process and no state.
  const RegionAccount& regions() const { return regions_; }
  /// Simulated time reached.
  Picoseconds time() const;
  /// Eight bytes of memory, whatever the hart may access; false where there is none.
  bool peek(std::uint64_t address, std::uint64_t& word) const;
  /// The same of an address as the program gives it, by the page tables now in force.
  bool read(std::uint64_t address, std::uint64_t& word) const;
  /// Names accesses, with the program's symbols.
  const AccessText& text() const { return text_; }
  /// Hazards of the program and defects of devices that struck.
  std::vector<Finding> findings() const;

  /// Adds the figures of all parts, one group each.
  void report(Statistics& statistics) const;
  /// Streams to the host: the part's name and where the other end is, for those that have an address.
  std::vector<std::pair<std::string, std::string>> host_addresses() const;
  /// At the end of the run: writes out what the consoles hold back. Throws UserError if any of it could not be written.
  void flush_consoles();

 private:
  // RunControl
  void end_with_success() override;
  void end_with_code(unsigned code) override;
  void reset_by_guest() override;
  void switch_fidelity(Fidelity fidelity) override;
  void enter_region(std::uint64_t name) override;
  void report_metric(std::uint64_t text, std::uint32_t value) override;

  void listen_to_consoles();
  void copy_program();
  void ask_for_large_free_pages();
  std::uint8_t* memory_at(std::uint64_t address) const;
  std::string region_name(std::uint64_t address) const;
  bool wait_for_host_input();
  std::string inputs_that_can_wake() const;
  void tell_of_silence(const std::string& parts);
  std::string asleep_sentence() const;
  std::vector<std::string> places() const;
  bool sleeps_for_good() const;
  void end(EndCause cause, int exit_code, std::string sentence);
  void halted(cpu::Halt why);
  void begin_again();
  bool show_sleep();
  bool show_fault(EndCause cause, const std::string& sentence);
  void show_hang(const std::string& sentence);
  void stop_soon();
  void lose_patience();

  const MachineSettings& settings_;
  StopRequest stop_request_;  ///< for what computes long within one call
  /// Its name in the kernel is, as all that are ours there, none that a part can have.
  sc_core::sc_event patience_over_{"patience-over"};
  Board board_;
  HostWake::Bell stop_bell_;
  cpu::Cpu& cpu_;
  FidelityClock fidelity_clock_;
  InputEndWatch input_end_;
  EndKey end_key_;
  TestHost test_host_;
  /// What a reset copies again.
  struct Piece {
    std::uint64_t address;
    std::uint64_t memory_size;
    StoredBytes bytes;
  };
  ElfProgram program_;  ///< without its segments
  std::vector<Piece> pieces_;
  const AccessText text_;
  RegionAccount regions_;
  bool warned_of_regions_ = false;
  std::function<void(const std::string&)> on_mistake_;
  std::string time_limit_sentence_;
  GuestMetrics metrics_;
  std::function<void(const std::string&)> on_bad_metric_;
  std::function<void(const std::string&)> on_silence_;
  std::function<bool(const MachineEnd&)> on_end_;
  EndCause fault_ = EndCause::unhandled_trap;
  std::uint64_t times_started_over_ = 0;
  std::chrono::steady_clock::time_point silent_since_;
  std::uint64_t silent_at_ = ~std::uint64_t{0};  ///< instructions retired when the silence began

  std::mutex end_mutex_;  // another thread may end the run
  bool ended_ = false;
  bool stopped_ = false;  ///< the kernel has been told
  MachineEnd end_;
};

}  // namespace vp
