#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "models/common/outline.h"
#include "models/common/part.h"

namespace vp {

/// Settings of a device with one window, one interrupt line and one master, all of the part's name, whose window tells
/// and changes what acts at the kernel's time, so that accesses to it are exact. Config has declare(group) and
/// check(part).
template <typename Config>
class MasterDeviceSettings : public PartSettings {
 public:
  MasterDeviceSettings(std::string name, std::uint64_t window) : PartSettings(std::move(name)), window_(window) {}

  void declare(const ParameterGroup& group) override {
    declare_base(group, base_);
    declare_interrupt(group, "interrupt", interrupt_);
    config_.declare(group);
  }
  void check(const Outline&) const override { config_.check(name()); }
  void outline(Outline& outline) const override {
    outline.windows.push_back({name(), {name(), base_, window_, false, true}});
    outline.initiators.push_back({name(), name()});
    outline.interrupts.push_back({name(), "interrupt", interrupt_});
  }

 protected:
  const std::uint64_t window_;  // bytes
  std::uint64_t base_ = kNoBase;
  InterruptWire interrupt_;
  Config config_;
};

}  // namespace vp
