#include "models/traffic/part.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/bounds.h"
#include "models/common/error.h"
#include "models/common/liveness.h"
#include "models/common/site.h"
#include "models/common/timeline_sink.h"
#include "models/traffic/traffic_generator.h"

namespace vp {

namespace {

class TrafficPart : public Part {
 public:
  TrafficPart(const TrafficConfig& config, Site& site)
      : Part(site.name()), generator_(site.name().c_str(), config, site.bus_clock()) {
    site.add_initiator(site.name(), generator_.master, {}, [this](bool write) { return generator_.bytes(write); });
    generator_.fill_only(site.liveness());
  }

  void report(Statistics& root) const override { generator_.report(root.group(name(), "generator of traffic")); }
  void set_fidelity(Fidelity fidelity) override { generator_.set_fidelity(fidelity); }
  void persist(Archive& archive) override { archive("generator", generator_); }
  void bounds(Bounds& bounds) const override { bounds.background.push_back(name()); }
  void trace(TimelineSink& timeline) override {
    generator_.on_transaction([this, &timeline](Picoseconds start, Picoseconds end) {
      if (!track_) track_ = timeline.add_track(name());
      timeline.add(*track_, start, end, "busy");
    });
  }

 private:
  TrafficGenerator generator_;
  std::optional<TimelineSink::Track> track_;
};

class TrafficSettings : public PartSettings {
 public:
  explicit TrafficSettings(std::string name) : PartSettings(std::move(name)) {}

  std::string noun() const override { return "generator of traffic on its bus"; }
  void declare(const ParameterGroup& group) override { config_.declare(group); }
  void check(const Outline& machine) const override {
    config_.check(name());
    std::string memories;
    for (const Outline::Window& one : machine.windows) {
      if (!one.loadable) continue;
      const BusWindow& memory = one.window;
      if (config_.base >= memory.base && config_.size <= memory.size &&
          config_.base - memory.base <= memory.size - config_.size)
        return;
      memories += (memories.empty() ? "" : ", ") + memory.text();
    }
    throw UserError(name() + ": its window of " + std::to_string(config_.size) + " bytes at " +
                    hexadecimal(config_.base) + " must lie inside one memory: " + memories + ".");
  }
  void outline(Outline& outline) const override { outline.initiators.push_back({name(), name(), true}); }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<TrafficPart>(config_, site); }

 private:
  TrafficConfig config_;
};

}  // namespace

const PartKind& traffic_kind() {
  static const PartKind kind{"traffic", "generator of traffic", make_settings<TrafficSettings>};
  return kind;
}

}  // namespace vp
