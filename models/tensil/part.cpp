#include "models/tensil/part.h"

#include <memory>

#include "models/common/archive.h"
#include "models/common/bounds.h"
#include "models/common/device_tree.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/common/tlm_time.h"
#include "models/tensil/core_report.h"
#include "models/tensil/instruction_times.h"
#include "models/tensil/machine_roles.h"
#include "models/tensil/tensil.h"
#include "models/tensil/unit_tracks.h"

namespace vp {
namespace {

using tensil::TensilConfig;

/// Exit code of a run that a program's error ends (OnError::stop).
constexpr unsigned kStopped = 3;

class TensilPart : public Part, public tensil::Accelerator {
 public:
  TensilPart(const TensilConfig& config, Site& site)
      : Part(site.name()),
        config_(config),
        tcu_(site.name().c_str(), site.horizon(), config),
        log_(tcu_.sequencer().core(), config.clock_period) {
    site.add_initiator(site.name() + "_dram0", tcu_.dram0, {config.axi_width, config.clock_period},
                       [this](bool write) { return tcu_.dram0.bytes(write); });
    site.add_initiator(site.name() + "_dram1", tcu_.dram1, {config.axi_width, config.clock_period},
                       [this](bool write) { return tcu_.dram1.bytes(write); });
    site.offer<StreamSink>(tcu_.sequencer());
    if (config.sample_block != 0) site.offer<PacketSource>(tcu_.sequencer().sampler());
    site.offer<tensil::Accelerator>(*this);
  }

  void connect(Site& site) override {
    RunControl* const control = site.roles().find<RunControl>();
    if (control != nullptr) tcu_.sequencer().on_stop([control] { control->end_with_code(kStopped); });
  }
  void reset() override { tcu_.reset(); }
  void report(Statistics& root) const override {
    const tensil::Sequencer& tcu = tcu_.sequencer();
    const std::uint64_t bursts[2][2] = {{tcu.port(0).bursts(false), tcu.port(0).bursts(true)},
                                        {tcu.port(1).bursts(false), tcu.port(1).bursts(true)}};
    Statistics& group = root.group(name(), "Tensil TCU");
    tensil::report_in_machine(tcu.core(), kernel_time() / config_.clock_period, bursts, group);
    tensil::report_stream(tcu.sampler(), group);
  }
  void bounds(Bounds& bounds) const override {
    tensil::add_cost(config_.architecture, bounds.cost);
    const std::uint64_t now = kernel_time() / config_.clock_period;
    bounds.computes.push_back(tensil::use_of(tcu_.sequencer().core(), name(), config_.clock_period, now));
  }
  std::vector<Finding> findings(const OriginText&) override { return tcu_.sequencer().findings(); }
  std::string broken_conservation() const override { return tcu_.sequencer().broken_conservation(); }
  void trace(TimelineSink& timeline) override {
    tracks_ = std::make_unique<tensil::UnitTracks>(name(), timeline);
    tcu_.sequencer().on_instruction(
        [this](tensil::Activity activity, Picoseconds start, Picoseconds end) { tracks_->add(activity, start, end); });
  }
  InstructionSource* instructions() override { return &log_; }
  std::vector<std::string> work() override { return tcu_.sequencer().work(kernel_time()); }
  void persist(Archive& archive) override { archive("tensil", tcu_); }

  // tensil::Accelerator
  const TensilConfig& config() const override { return config_; }
  tensil::Sequencer& sequencer() override { return tcu_.sequencer(); }
  const tensil::Sequencer& sequencer() const override { return tcu_.sequencer(); }

 private:
  const TensilConfig config_;
  Tensil tcu_;
  tensil::InstructionTimes log_;
  std::unique_ptr<tensil::UnitTracks> tracks_;
};

class TensilSettings : public PartSettings {
 public:
  explicit TensilSettings(std::string name) : PartSettings(std::move(name)) {
    config_.on_error = tensil::OnError::hardware;
  }

  std::string noun() const override { return "Tensil TCU"; }
  void declare(const ParameterGroup& group) override {
    group.custom(
        "arch", "architecture", "pynqz1, artya7100t, cmoda7, ultra96v2, zcu104, zcu104_uram, FILE.tarch, none",
        "sets all sizes, which may be changed one by one behind it",
        [this] { return config_.arch.empty() ? "none" : config_.arch; },
        [this](const std::string& text) { config_.take_architecture(text); });
    config_.declare_in_machine(group);
    group.integer("sample_block", config_.sample_block, 0, 1 << 20, "samples",
                  "of a packet of the sampling stream; 0: it was built without");
  }
  void check(const Outline&) const override { config_.check(name()); }
  void outline(Outline& outline) const override {
    for (const char* port : {"_dram0", "_dram1"}) outline.initiators.push_back({name(), name() + port});
    outline.stream_ends.push_back({name(), true});
    if (config_.sample_block != 0) outline.stream_ends.push_back({name(), false});
  }
  /// What a driver must know of the accelerator at the other end of a DMA engine's stream.
  void describe(DeviceTree& tree) const override {
    const tensil::Architecture& a = config_.architecture;
    for (const Outline::StreamWire& wire : tree.machine().stream_wires) {
      if (wire.other != name()) continue;
      if (!wire.into) tree.add_properties(wire.part, {{"tensil,sample-block", config_.sample_block}});
      if (wire.into)
        tree.add_properties(wire.part,
                            {{"tensil,tcu", std::string(a.format().name)},
                             {"tensil,encoding", std::uint32_t{config_.encoding == tensil::Encoding::v1 ? 1u : 2u}},
                             {"tensil,array-size", a.array_size},
                             {"tensil,dram0-depth", a.dram0_depth},
                             {"tensil,dram1-depth", a.dram1_depth},
                             {"tensil,local-depth", a.local_depth},
                             {"tensil,accumulator-depth", a.accumulator_depth},
                             {"tensil,simd-registers-depth", a.simd_registers_depth},
                             {"tensil,stride0-depth", a.stride0_depth},
                             {"tensil,stride1-depth", a.stride1_depth},
                             {"tensil,number-of-threads", a.number_of_threads},
                             {"tensil,clock-frequency", frequency_of(config_.clock_period)}});
    }
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<TensilPart>(config_, site); }

 private:
  TensilConfig config_;
};

}  // namespace

const PartKind& tensil_kind() {
  static const PartKind kind{"tensil", "Tensil TCU: fixed-point matrix multiplier fed by an instruction stream",
                             make_settings<TensilSettings>};
  return kind;
}

}  // namespace vp
