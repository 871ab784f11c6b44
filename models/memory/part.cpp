#include "models/memory/part.h"

#include "models/common/device_tree.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/common/timeline_sink.h"
#include "models/memory/memory.h"

namespace vp {

namespace {

class MemoryPart : public Part, public LoadableMemory {
 public:
  MemoryPart(std::uint64_t base, const MemoryConfig& config, Site& site)
      : Part(site.name()), base_(base), memory_(site.name().c_str(), config, site.bus_clock(), site.bus_bytes()) {
    site.add_window(site.name(), memory_.socket, [this](bool write) { return memory_.bytes(write); });
    site.offer<LoadableMemory>(*this);
  }

  void reset() override { memory_.reset(); }
  void set_fidelity(Fidelity fidelity) override { memory_.set_fidelity(fidelity); }
  void report(Statistics& root) const override { memory_.report(root.group(name())); }
  void bounds(Bounds& bounds) const override { memory_.bounds(bounds); }
  void persist(Archive& archive) override { memory_.persist(archive); }
  std::string broken_conservation() const override { return memory_.broken_conservation(); }
  /// A memory without a data bus of its own gets no track.
  void trace(TimelineSink& timeline) override {
    memory_.on_data([this, &timeline](Picoseconds start, Picoseconds end) {
      if (!track_) track_ = timeline.add_track(name());
      timeline.add(*track_, start, end, "busy");
    });
  }

  std::uint64_t base() const override { return base_; }
  std::uint64_t size() const override { return memory_.size(); }
  std::uint8_t* data() override { return memory_.data(); }

 private:
  const std::uint64_t base_;
  Memory memory_;
  std::optional<TimelineSink::Track> track_;
};

class MemorySettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  std::string noun() const override { return "memory"; }
  void declare(const ParameterGroup& group) override {
    declare_base(group, base_, "first address");
    config_.declare(group);
  }
  void check(const Outline&) const override { config_.resolve_channel(); }
  void outline(Outline& outline) const override {
    outline.windows.push_back({name(), {name(), base_, config_.size, true}, true});
  }
  void describe(DeviceTree& tree) const override { tree.add_memory(base_, config_.size); }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<MemoryPart>(base_, config_, site); }

 private:
  std::uint64_t base_ = kNoBase;
  MemoryConfig config_;
};

}  // namespace

const PartKind& memory_kind() {
  static const PartKind kind{"memory", "memory for programs and data, with DRAM timing in timed mode",
                             make_settings<MemorySettings>};
  return kind;
}

}  // namespace vp
