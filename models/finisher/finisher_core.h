#pragma once

#include <cstdint>
#include <functional>

#include "models/common/register_bank.h"
#include "models/common/target_model.h"

namespace vp {

/// What the guest asked for.
struct FinishRequest {
  enum class Kind { pass, fail, reset };
  Kind kind = Kind::pass;
  unsigned code = 0;     ///< exit code of `fail`, 0 otherwise
  Picoseconds time = 0;  ///< absolute local time of the write
};

/// Test finisher (`sifive,test1`): one register by which a guest ends or resets the machine. Other values do nothing.
class FinisherCore : public TargetModel {
 public:
  static constexpr std::uint64_t kWindow = 0x1000;
  using Callback = std::function<void(const FinishRequest&)>;

  FinisherCore();
  void on_finish(Callback callback) { callback_ = std::move(callback); }

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

 private:
  RegisterBank bank_{2};
  Register<std::uint32_t> finisher_{bank_, {"FINISHER", 0}};
  Callback callback_;
};

}  // namespace vp
