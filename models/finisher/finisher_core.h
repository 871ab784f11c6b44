#pragma once

#include <cstdint>
#include <functional>

#include "models/common/fidelity.h"
#include "models/common/register_bank.h"
#include "models/common/target_model.h"

namespace vp {

class Archive;

/// What the guest asked for.
struct FinishRequest {
  enum class Kind { pass, fail, reset };
  Kind kind = Kind::pass;
  unsigned code = 0;     ///< exit code of `fail`, 0 otherwise
  Picoseconds time = 0;  ///< absolute local time of the write
};

/// Test finisher (`sifive,test1`): a register by which a guest ends or resets the machine, one of our own by which
/// it brackets the part of a run that is worth exact time, and one by which it names the regions of a run. Other values
/// do nothing.
class FinisherCore : public TargetModel {
 public:
  static constexpr std::uint64_t kWindow = 0x1000;
  static constexpr std::uint32_t kFinisher = 0;  ///< offset of the register FINISHER
  /// Its commands.
  static constexpr std::uint32_t kPass = 0x5555, kFail = 0x3333, kReset = 0x7777;
  static constexpr std::uint64_t kFidelity = 0x100;  ///< offset of the register FIDELITY
  static constexpr std::uint64_t kRegion = 0x110;    ///< offset of the register REGION
  static constexpr std::uint64_t kValue = 0x120;     ///< offset of the register VALUE
  static constexpr std::uint64_t kMetric = 0x124;    ///< offset of the register METRIC
  using Callback = std::function<void(const FinishRequest&)>;
  using FidelityCallback = std::function<void(Fidelity)>;
  using RegionCallback = std::function<void(std::uint32_t)>;
  using MetricCallback = std::function<void(std::uint32_t, std::uint32_t)>;

  FinisherCore();
  void on_finish(Callback callback) { callback_ = std::move(callback); }
  /// A guest wrote to FIDELITY: 0 functional, 1 timed.
  void on_fidelity(FidelityCallback callback) { fidelity_callback_ = std::move(callback); }
  /// A guest wrote to REGION: the address of a name, or 0.
  void on_region(RegionCallback callback) { region_callback_ = std::move(callback); }
  /// A guest wrote the address of a figure's name to METRIC: that, and what VALUE holds.
  void on_metric(MetricCallback callback) { metric_callback_ = std::move(callback); }
  /// What FIDELITY reads from now on.
  void set_fidelity(Fidelity fidelity) { fidelity_.value = static_cast<std::uint32_t>(fidelity); }

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.read(offset, data, size, now);
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.write(offset, data, size, now);
  }
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    return bank_.debug_read(offset, data, size);
  }
  std::string describe(std::uint64_t offset) const override { return bank_.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override {
    return bank_.refusal(offset, size, write);
  }
  const RegisterBank& registers() const { return bank_; }
  void persist(Archive& archive);

 private:
  RegisterBank bank_{2};
  Register<std::uint32_t> finisher_{bank_, {"FINISHER", kFinisher, "ends or resets the machine; reads 0"}};
  Register<std::uint32_t> fidelity_{bank_, {"FIDELITY", kFidelity, "how exact time is from here on"}};
  Register<std::uint32_t> region_{
      bank_, {"REGION", kRegion, "address of the name of the region that begins, 0 ends it; reads 0"}};
  Register<std::uint32_t> value_{bank_, {"VALUE", kValue, "value of the figure that METRIC names next"}};
  Register<std::uint32_t> metric_{
      bank_, {"METRIC", kMetric, "address of a figure's name: the program reports VALUE; reads 0"}};
  Callback callback_;
  FidelityCallback fidelity_callback_;
  RegionCallback region_callback_;
  MetricCallback metric_callback_;
};

}  // namespace vp
