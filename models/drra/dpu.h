#pragma once

#include <array>
#include <cstdint>

namespace vp {
class Archive;
}

namespace vp::drra {

/// The modes of the DPU instruction by their numbers in the table of instructions.
enum class DpuMode : std::uint8_t {
  idle,
  add,
  sum_acc,
  add_const,
  subt,
  subt_abs,
  mode_6,
  mult,
  mult_add,
  mult_const,
  mac,
  ld_ir,
  axpy,
  max_min_acc,
  max_min_const,
  mode_15,
  max_min,
  shift_l,
  shift_r,
  sigm,
  tanhyp,
  expon,
  lk_relu,
  relu,
  div,
  acc_softmax,
  div_softmax,
  ld_acc,
  scale_dw,
  scale_up,
  mac_inter,
  mode_31
};

/// How a DPU cuts its 16-bit words: the BW instruction.
enum class BitWidth : std::uint8_t { int16, int8, q4_11, int4 };

/// What a unit of the mode reads: bit k stands for input k. The other unit, if any, is independent.
struct DpuOperands {
  unsigned first;
  unsigned second;
};
DpuOperands operands_of(DpuMode mode);

/// The data processing unit of a cell: four inputs, two outputs, two accumulators of 32 bits, two internal registers.
/// All results go through the accumulators, which are the output registers: inputs of cycle T show in T + 1, quotients
/// in T + 4.
class Dpu {
 public:
  using Inputs = std::array<std::int16_t, 4>;

  explicit Dpu(bool autoclear = false) : autoclear_(autoclear) {}

  /// Constant and io_change of a DPU instruction act at once.
  void set_modifiers(std::uint8_t constant, std::uint8_t io_change) {
    constant_ = constant;
    io_change_ = io_change;
  }
  /// Mode and control act a cycle later than the modifiers.
  void set_mode(DpuMode mode, std::uint8_t control);
  void set_width(BitWidth width);

  /// The end of a cycle with these inputs. valid: one of them is an element of a stream; clear: the accumulators become
  /// 0. Returns whether the next clock with the same inputs may do anything else than this one.
  bool clock(const Inputs& in, bool valid, bool clear);

  DpuMode mode() const { return mode_; }
  std::int16_t output(unsigned number) const {
    return io_change_ == kAbsoluteOutputs ? absolute(outputs_[number]) : outputs_[number];
  }
  /// The outputs derive from elements of a stream.
  bool output_valid() const { return state_.valid; }
  /// 0 less, 1 greater, 2 equal: the latest comparison.
  unsigned condition() const { return state_.condition; }
  std::int16_t internal_register(unsigned number) const { return state_.ir[number]; }
  /// A shift by a negative amount happened since the last call; the hardware forbids it.
  bool take_bad_shift() {
    const bool bad = bad_shift_;
    bad_shift_ = false;
    return bad;
  }
  void persist(Archive& archive);

 private:
  static constexpr std::uint8_t kNegateFirst = 1, kNegateSecond = 2, kAbsoluteOutputs = 3;
  static constexpr unsigned kDividerStages = 3;

  struct State {
    std::array<std::int32_t, 2> acc{};
    std::array<std::int16_t, 2> ir{};
    std::array<std::int16_t, kDividerStages> quotients{};
    std::array<bool, kDividerStages> quotients_valid{};
    std::int32_t softmax = 0;
    std::uint8_t condition = 0;
    std::uint8_t operands = 0;  // since the accumulators started; only with autoclear
    bool restart = false;       // the next operand starts them anew
    bool valid = false;

    bool operator==(const State& other) const;
    void persist(Archive& archive);
  };
  struct Result {
    std::int32_t first = 0, second = 0;
  };
  struct Operands {
    std::int32_t a0, a1, a2, a3;  // after io_change
    const Inputs& raw;
  };

  void work(const Inputs& in, bool valid, bool clear);
  void choose_product();
  Result compute(const Operands& x);
  Result compute_lanes(const Operands& x) const;
  Result special(const Operands& x);
  Result divide(std::int32_t dividend, std::int32_t divisor);
  Result shift(const Operands& x);
  std::int32_t product(std::int32_t a, std::int32_t b) const { return a * b >> product_shift_; }
  std::int32_t accumulated(unsigned number) const { return state_.restart ? 0 : state_.acc[number]; }
  void compare(std::int32_t left, std::int32_t right) { state_.condition = left > right ? 1 : left == right ? 2 : 0; }
  /// The smallest number has no absolute value and stays.
  static std::int16_t absolute(std::int16_t word) {
    return word < 0 && word != INT16_MIN ? static_cast<std::int16_t>(-word) : word;
  }
  /// 32 bits to a word, saturated or cut off as `control` says.
  std::int16_t narrowed(std::int32_t value) const;
  void count_operand();
  void update_outputs();

  bool autoclear_;
  DpuMode mode_ = DpuMode::idle;
  std::uint8_t control_ = 2;
  BitWidth width_ = BitWidth::int16;
  unsigned product_shift_ = 0;
  std::uint8_t constant_ = 0;
  std::uint8_t io_change_ = 0;
  bool bad_shift_ = false;
  bool idle_ = true;  // has been for a clock: everything is 0 and stays so
  State state_;
  std::array<std::int16_t, 2> outputs_{};
};

}  // namespace vp::drra
