#include "platform/board/lone_parts.h"

#include <string>

#include "models/bus/bus_config.h"
#include "models/common/site.h"

namespace vp {

/// Takes what a part hands in, and does nothing with it.
class LoneParts::LoneSite : public Site {
 public:
  LoneSite(LoneParts& owner, std::string part) : owner_(owner), name_(std::move(part)) {}

  const std::string& name() const override { return name_; }
  const Outline& machine() const override { return owner_.no_machine_; }
  Horizon& horizon() override { return owner_.horizon_; }
  Liveness& liveness() override { return owner_.liveness_; }
  HostWake& host_wake() override { return owner_.host_wake_; }
  Picoseconds bus_clock() const override { return bus_.clock; }
  unsigned bus_bytes() const override { return bus_.width / 8; }
  Roles& roles() override { return owner_.roles_; }

  void add_window(const std::string&, TlmTarget&, ByteCount) override {}
  void add_initiator(const std::string&, TlmInitiator&, ByteCount, DirectAccount) override {}
  void add_initiator(const std::string&, OverlappingMaster&, BusPortOptions, ByteCount) override {}
  void connect_interrupt(const std::string&, std::function<void(InterruptLine::Receiver)>,
                         std::function<void()>) override {}

 private:
  LoneParts& owner_;
  const std::string name_;
  const BusConfig bus_;
};

LoneParts::LoneParts() { roles_.offer("", stop_); }

LoneParts::~LoneParts() = default;

const Part& LoneParts::build(const PartSettings& settings) {
  sites_.push_back(std::make_unique<LoneSite>(*this, settings.name()));
  parts_.push_back(settings.build(*sites_.back()));
  return *parts_.back();
}

}  // namespace vp
