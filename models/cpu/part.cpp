#include "models/cpu/part.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/device_tree.h"
#include "models/common/error.h"
#include "models/common/handler_knowledge.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/common/timeline_sink.h"
#include "models/cpu/cpu.h"
#include "models/cpu/handler_flow.h"
#include "models/cpu/jit/native_code.h"

namespace vp {

namespace {

/// An input of the hart that several lines lead to: high while one of them is.
class SharedInput {
 public:
  explicit SharedInput(std::function<void(bool)> drive) : drive_(std::move(drive)) {}
  /// An interrupt line tells changes only, so counting them is enough.
  InterruptLine::Receiver another() {
    return [this](bool level) {
      const bool before = high_ != 0;
      high_ += level ? 1u : -1u;
      if ((high_ != 0) != before) drive_(level);
    };
  }
  void persist(Archive& archive) { archive("high", high_); }

 private:
  std::function<void(bool)> drive_;
  unsigned high_ = 0;
};

/// Draws the CPU: executing ("busy"), waiting for a cause in the words of its statistics, or asleep in wfi
/// ("wait_for_interrupt").
class HartTrack {
 public:
  HartTrack(const std::string& name, TimelineSink& timeline) : timeline_(timeline), track_(timeline.add_track(name)) {}

  /// The times up to an instruction boundary. In between, what it waited for comes behind its execution.
  void add(const cpu::CpuTimes& times) {
    Picoseconds at = last_.total;
    const auto draw = [&](Picoseconds cpu::CpuTimes::*part, const char* state) {
      const Picoseconds length = times.*part - last_.*part;
      timeline_.add(track_, at, at + length, state);
      at += length;
    };
    draw(&cpu::CpuTimes::busy, "busy");
    draw(&cpu::CpuTimes::cache_hit, "cache_hit");
    draw(&cpu::CpuTimes::fetch_miss, "fetch_miss");
    draw(&cpu::CpuTimes::load_miss, "load_miss");
    draw(&cpu::CpuTimes::store_miss, "store_miss");
    draw(&cpu::CpuTimes::write_back, "write_back");
    draw(&cpu::CpuTimes::memory, "memory");
    draw(&cpu::CpuTimes::bus, "bus");
    draw(&cpu::CpuTimes::idle, "wait_for_interrupt");
    last_ = times;
  }
  void finish(Picoseconds end) { timeline_.set_end(end); }

 private:
  TimelineSink& timeline_;
  TimelineSink::Track track_;
  cpu::CpuTimes last_;
};

class CpuPart : public Part, public HartInputs, public HandlerKnowledge {
 public:
  CpuPart(const cpu::CpuConfig& config, Site& site)
      : Part(site.name()),
        cpu_(site.name().c_str(), config, site.horizon()),
        software_([this](bool level) { cpu_.set_msip(level); }),
        timer_([this](bool level) { cpu_.set_mtip(level); }),
        external_([this](bool level) { cpu_.set_meip(level); }),
        supervisor_external_([this](bool level) { cpu_.set_seip(level); }) {
    cpu_.join(site.liveness());
    site.add_initiator(site.name(), cpu_.socket, nullptr, [this] { return direct_accesses(); });
    site.offer<HartInputs>(*this);
    site.offer<HandlerKnowledge>(*this);
    site.offer(cpu_);
  }

  void connect(Site& site) override {
    TimeCounter* const counter = site.roles().find<TimeCounter>();
    if (!counter) return;
    cpu_.set_time_source([counter](Picoseconds now) { return counter->value_at(now); });
    cpu_.set_supervisor_timer(
        [counter](std::uint64_t compare, Picoseconds now) { counter->set_supervisor_compare(compare, now); });
  }
  void reset() override {
    cpu_.core().invalidate_code();  // the program is loaded anew
    cpu_.reset();
  }
  void set_fidelity(Fidelity fidelity) override { cpu_.set_fidelity(fidelity); }
  void report(Statistics& root) const override { cpu_.report(root.group(name(), "host CPU")); }
  void bounds(Bounds& bounds) const override { cpu_.bounds(bounds); }
  void persist(Archive& archive) override {
    archive("hart", cpu_)("software", software_)("timer", timer_)("external", external_);
    archive("supervisor_external", supervisor_external_);
  }
  void trace(TimelineSink& timeline) override {
    track_ = std::make_unique<HartTrack>(name(), timeline);
    cpu_.on_times([this](const cpu::CpuTimes& times) { track_->add(times); });
    timeline.at_end([this](Picoseconds end) {
      track_->add(cpu_.core().times());
      track_->finish(end);
    });
  }

  InterruptLine::Receiver software_interrupt() override { return software_.another(); }
  InterruptLine::Receiver timer_interrupt() override { return timer_.another(); }
  InterruptLine::Receiver supervisor_timer_interrupt() override {
    return [this](bool level) { cpu_.set_stip(level); };
  }
  InterruptLine::Receiver external_interrupt() override { return external_.another(); }
  InterruptLine::Receiver supervisor_external_interrupt() override { return supervisor_external_.another(); }

  std::uint64_t learn() override { return cpu_.core().handler_flow().learn(); }
  bool in_handler() const override { return cpu_.core().handler_flow().in_handler(); }
  bool told(std::uint64_t number) const override { return cpu_.core().handler_flow().told(number); }

 private:
  std::vector<DirectAccesses> direct_accesses() const {
    std::vector<DirectAccesses> accesses;
    for (const cpu::DirectTraffic& one : cpu_.direct_traffic())
      accesses.push_back({one.first, one.reads, one.writes, one.read_bytes, one.written_bytes});
    return accesses;
  }

  cpu::Cpu cpu_;
  SharedInput software_, timer_, external_, supervisor_external_;
  std::unique_ptr<HartTrack> track_;
};

class CpuSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  std::string noun() const override { return "CPU"; }
  void declare(const ParameterGroup& group) override { config_.declare(group); }
  void check(const Outline& machine) const override {
    if (config_.icache.present) config_.icache.check(name() + ".icache");
    if (config_.dcache.present) config_.dcache.check(name() + ".dcache");
    cpu::check_jit(config_.jit, name() + ".jit");
    if (machine.processors.size() > 1)
      throw UserError("a machine has one CPU, but this one has " + machine.processors[0].part + " and " +
                      machine.processors[1].part + ".");
    if (config_.sstc && !machine.counts_time)
      throw UserError(name() + ".sstc compares with a real-time counter, but the machine has none (a clint).");
    if (!machine.reset_vector) throw UserError(name() + " has nowhere to start: the machine has no boot ROM.");
  }
  void outline(Outline& outline) const override {
    outline.initiators.push_back({name(), name()});
    outline.processors.push_back({name(), config_.xlen(), config_.quantum});
  }
  void describe(DeviceTree& tree) const override {
    const bool wide = config_.xlen() == 64;
    std::vector<std::string> extensions = {"i", "m", "a"};
    if (config_.floating()) extensions.insert(extensions.end(), {"f", "d"});
    extensions.insert(extensions.end(), {"c", "zicntr", "zicsr", "zifencei"});
    if (config_.sstc) extensions.push_back("sstc");
    tree.set_processor({wide ? "rv64i" : "rv32i", std::move(extensions), wide ? "riscv,sv39" : "riscv,sv32",
                        frequency_of(config_.clock)});
  }
  std::unique_ptr<Part> build(Site& site) const override {
    cpu::CpuConfig config = config_;
    config.reset_pc = *site.machine().reset_vector;
    return std::make_unique<CpuPart>(config, site);
  }

 private:
  cpu::CpuConfig config_;
};

}  // namespace

const PartKind& cpu_kind() {
  static const PartKind kind{"cpu", "host CPU, RV32GC or RV64GC", make_settings<CpuSettings>};
  return kind;
}

}  // namespace vp
