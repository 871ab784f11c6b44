#include "models/axidma/part.h"

#include <array>
#include <optional>

#include "models/axidma/axidma.h"
#include "models/common/archive.h"
#include "models/common/bounds.h"
#include "models/common/byte_stream.h"
#include "models/common/device_tree.h"
#include "models/common/figures.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/common/timeline_sink.h"

namespace vp {
namespace {

using axidma::Core;

class AxiDmaPart : public Part, public StreamFeeder {
 public:
  AxiDmaPart(const axidma::AxiDmaConfig& config, Site& site)
      : Part(site.name()), config_(config), dma_(site.name().c_str(), site.horizon(), config) {
    site.add_window(site.name(), dma_.socket);
    site.add_initiator(site.name(), dma_.master, {config.data_width, config.clock},
                       [this](bool write) { return dma_.master.bytes(write); });
    site.connect_interrupt("mm2s_interrupt", [this](InterruptLine::Receiver receiver) {
      dma_.bind_interrupt(Core::Side::mm2s, std::move(receiver));
    });
    site.connect_interrupt("s2mm_interrupt", [this](InterruptLine::Receiver receiver) {
      dma_.bind_interrupt(Core::Side::s2mm, std::move(receiver));
    });
    site.offer<StreamFeeder>(*this);
  }

  /// A part that is left out is unplugged.
  void connect(Site& site) override {
    if (StreamSink* const sink = site.roles().find<StreamSink>(config_.mm2s)) {
      dma_.core().mm2s().connect(*sink);
      sink->connect(dma_.core().mm2s());
    }
    if (PacketSource* const source = site.roles().find<PacketSource>(config_.s2mm)) {
      source->connect(dma_.core().s2mm());
      dma_.core().s2mm().connect(*source);
    }
  }
  void reset() override { dma_.reset(); }
  void report(Statistics& root) const override {
    write_figures(dma_.core().figures(), root.group(name(), "DMA engine of streams"));
  }
  void bounds(Bounds& bounds) const override {
    const axidma::Figures figures = dma_.core().figures();
    const double peak = 1e12 * config_.word_bytes() / static_cast<double>(config_.clock);
    bounds.movers.push_back({name() + ".mm2s", peak, figures.mm2s.bytes, figures.mm2s.busy});
    if (figures.s2mm.transfers != 0)
      bounds.movers.push_back({name() + ".s2mm", peak, figures.s2mm.bytes, figures.s2mm.busy});
  }
  std::vector<Finding> findings(const OriginText& origin) override { return dma_.core().findings(origin); }
  std::string broken_conservation() const override { return dma_.core().broken_conservation(); }
  const RegisterBank* registers() const override { return &dma_.core().registers(); }
  void trace(TimelineSink& timeline) override {
    dma_.core().on_transfer([this, &timeline](Core::Side side, Picoseconds start, Picoseconds end, bool failed) {
      auto& track = tracks_[static_cast<unsigned>(side)];
      if (!track) track = timeline.add_track(name() + (side == Core::Side::mm2s ? ".mm2s" : ".s2mm"));
      timeline.add(*track, start, end, failed ? "failed" : "busy");
    });
  }
  void persist(Archive& archive) override { archive("axidma", dma_); }

  // StreamFeeder
  const std::string& leads_to() const override { return config_.mm2s; }
  std::uint64_t longest() const override {
    return ((std::uint64_t{1} << config_.length_width) - 1) / config_.word_bytes() * config_.word_bytes();
  }
  void feed(std::uint64_t address, std::uint64_t bytes, Picoseconds now) override {
    const auto write = [&](std::uint64_t offset, std::uint64_t value) {
      std::array<std::uint8_t, 4> word{};
      for (unsigned i = 0; i < 4; ++i) word[i] = static_cast<std::uint8_t>(value >> (8 * i));
      Picoseconds time = now;
      dma_.core().write(offset, word.data(), 4, time);
    };
    write(0x00, 1);
    write(0x18, address);
    if (config_.address_width > 32) write(0x1C, address >> 32);
    write(0x28, bytes);
  }

 private:
  const axidma::AxiDmaConfig config_;
  AxiDma dma_;
  std::array<std::optional<TimelineSink::Track>, 2> tracks_;
};

class AxiDmaSettings : public PartSettings {
 public:
  explicit AxiDmaSettings(std::string name) : PartSettings(std::move(name)) {}

  std::string noun() const override { return "DMA engine of streams"; }
  void declare(const ParameterGroup& group) override {
    declare_base(group, base_);
    declare_interrupt(group, "mm2s_interrupt", mm2s_interrupt_, "input that the line of its MM2S channel leads to");
    declare_interrupt(group, "s2mm_interrupt", s2mm_interrupt_, "input that the line of its S2MM channel leads to");
    config_.declare(group);
  }
  void check(const Outline&) const override { config_.check(name()); }
  void outline(Outline& outline) const override {
    // Exact: what a register tells and changes is the engine's, which acts at the kernel's time.
    outline.windows.push_back({name(), {name(), base_, Core::kWindow, false, true}});
    outline.initiators.push_back({name(), name()});
    outline.interrupts.push_back({name(), "mm2s_interrupt", mm2s_interrupt_});
    outline.interrupts.push_back({name(), "s2mm_interrupt", s2mm_interrupt_});
    if (!config_.mm2s.empty()) outline.stream_wires.push_back({name(), "mm2s", config_.mm2s, true});
    if (!config_.s2mm.empty()) outline.stream_wires.push_back({name(), "s2mm", config_.s2mm, false});
  }
  /// Names as in Linux' binding of the Xilinx DMA engines, without its nodes of channels.
  void describe(DeviceTree& tree) const override {
    DeviceTree::Device device{"dma", base_, Core::kWindow, {"xlnx,axi-dma-1.00.a"}, {mm2s_interrupt_, s2mm_interrupt_},
                              {}};
    device.properties = {{"#dma-cells", std::uint32_t{1}},
                         {"xlnx,addrwidth", std::uint32_t{config_.address_width}},
                         {"xlnx,datawidth", std::uint32_t{config_.data_width}},
                         {"xlnx,sg-length-width", std::uint32_t{config_.length_width}}};
    std::vector<std::string> names;
    if (mm2s_interrupt_.connected()) names.emplace_back("mm2s_introut");
    if (s2mm_interrupt_.connected()) names.emplace_back("s2mm_introut");
    if (!names.empty()) device.properties.emplace_back("interrupt-names", names);
    tree.add_device(name(), device);
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<AxiDmaPart>(config_, site); }

 private:
  std::uint64_t base_ = kNoBase;
  InterruptWire mm2s_interrupt_, s2mm_interrupt_;
  axidma::AxiDmaConfig config_;
};

}  // namespace

const PartKind& axidma_kind() {
  static const PartKind kind{"axidma", "DMA engine between memory and streams: AXI DMA, direct register mode",
                             make_settings<AxiDmaSettings>};
  return kind;
}

}  // namespace vp
