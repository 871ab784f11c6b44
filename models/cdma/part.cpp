#include "models/cdma/part.h"

#include <optional>

#include "models/cdma/cdma.h"
#include "models/common/archive.h"
#include "models/common/bounds.h"
#include "models/common/device_tree.h"
#include "models/common/figures.h"
#include "models/common/master_device_settings.h"
#include "models/common/site.h"
#include "models/common/timeline_sink.h"

namespace vp {
namespace {

class CdmaPart : public Part {
 public:
  CdmaPart(const cdma::CdmaConfig& config, Site& site)
      : Part(site.name()), config_(config), cdma_(site.name().c_str(), site.horizon(), config) {
    site.add_window(site.name(), cdma_.socket);
    site.add_initiator(site.name(), cdma_.master, {config.data_width, config.clock},
                       [this](bool write) { return cdma_.master.bytes(write); });
    site.connect_interrupt("interrupt",
                           [this](InterruptLine::Receiver receiver) { cdma_.bind_interrupt(std::move(receiver)); });
  }

  void reset() override { cdma_.reset(); }
  void report(Statistics& root) const override {
    write_figures(cdma_.core().figures(), root.group(name(), "DMA engine"));
  }
  void bounds(Bounds& bounds) const override {
    const cdma::Figures figures = cdma_.core().figures();
    bounds.movers.push_back(
        {name(), 1e12 * config_.word_bytes() / static_cast<double>(config_.clock), figures.bytes, figures.busy});
  }
  std::vector<Finding> findings(const OriginText& origin) override { return cdma_.core().findings(origin); }
  std::string broken_conservation() const override { return cdma_.core().broken_conservation(); }
  std::vector<std::string> work() override { return cdma_.core().work(); }
  const RegisterBank* registers() const override { return &cdma_.core().registers(); }
  void trace(TimelineSink& timeline) override {
    track_ = timeline.add_track(name());
    cdma_.core().on_transfer([this, &timeline](Picoseconds start, Picoseconds end, bool failed) {
      timeline.add(*track_, start, end, failed ? "failed" : "busy");
    });
  }
  void persist(Archive& archive) override { archive("cdma", cdma_); }

 private:
  const cdma::CdmaConfig config_;
  Cdma cdma_;
  std::optional<TimelineSink::Track> track_;
};

class CdmaSettings : public MasterDeviceSettings<cdma::CdmaConfig> {
 public:
  explicit CdmaSettings(std::string name) : MasterDeviceSettings(std::move(name), cdma::Core::kWindow) {}

  std::string noun() const override { return "DMA engine"; }
  /// Names as in Linux' binding of the Xilinx DMA engines, without its node a channel.
  void describe(DeviceTree& tree) const override {
    DeviceTree::Device device{"dma", base_, window_, {"xlnx,axi-cdma-1.00.a"}, {interrupt_}, {}};
    device.properties = {{"#dma-cells", std::uint32_t{1}},
                         {"xlnx,addrwidth", std::uint32_t{config_.address_width}},
                         {"xlnx,datawidth", std::uint32_t{config_.data_width}},
                         {"xlnx,max-burst-len", std::uint32_t{config_.max_burst}},
                         {"xlnx,sg-length-width", std::uint32_t{config_.btt_width}}};
    if (config_.include_dre) device.properties.emplace_back("xlnx,include-dre", std::monostate());
    tree.add_device(name(), device);
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<CdmaPart>(config_, site); }
};

}  // namespace

const PartKind& cdma_kind() {
  static const PartKind kind{"cdma", "DMA engine from memory to memory: AXI CDMA, simple mode",
                             make_settings<CdmaSettings>};
  return kind;
}

}  // namespace vp
