#pragma once

#include "models/common/part.h"
#include "models/tinytpu/config.h"

namespace vp {

/// Settings of a tinyTPU in a machine.
class TinyTpuSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const ParameterGroup& group) override;
  void check(const Outline& machine) const override;
  void outline(Outline& outline) const override;
  void describe(DeviceTree& tree) const override;
  std::unique_ptr<Part> build(Site& site) const override;

  const tinytpu::TinyTpuConfig& config() const { return config_; }

 private:
  std::uint64_t base_ = kNoBase;
  InterruptWire interrupt_;
  tinytpu::TinyTpuConfig config_;
};

/// A systolic array with its buffers.
const PartKind& tinytpu_kind();

}  // namespace vp
