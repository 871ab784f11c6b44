#pragma once

#include "models/common/part.h"
#include "models/matmul/config.h"

namespace vp {

/// Settings of a MatMul device in a machine.
class MatmulSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const ParameterGroup& group) override;
  void check(const Outline& machine) const override;
  void outline(Outline& outline) const override;
  void describe(DeviceTree& tree) const override;
  std::unique_ptr<Part> build(Site& site) const override;

  const matmul::MatmulConfig& config() const { return config_; }
  /// Where its line leads: see parse_serial_target().
  const std::string& serial() const { return serial_; }

 private:
  std::string serial_ = "none";
  matmul::MatmulConfig config_;
};

/// The MatMul device at the end of a serial line.
const PartKind& matmul_kind();

}  // namespace vp
