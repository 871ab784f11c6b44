#include "models/drra/dpu.h"

#include <algorithm>
#include <limits>

#include "models/drra/activation.h"

namespace vp::drra {
namespace {

constexpr std::uint8_t kFixedPoint = 1;  // bits of `control`
constexpr std::uint8_t kSaturate = 2;

constexpr std::int32_t kSmallest = std::numeric_limits<std::int16_t>::min();
constexpr std::int32_t kLargest = std::numeric_limits<std::int16_t>::max();

std::int16_t saturated(std::int64_t value) {
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(value, kSmallest, kLargest));
}

std::int32_t saturated32(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(),
                                                            std::numeric_limits<std::int32_t>::max()));
}

std::int32_t negated(std::int32_t value) { return value == kSmallest ? kLargest : -value; }

/// Lane `number` of a word cut into lanes of `bits` bits.
std::int32_t lane(std::int32_t word, unsigned bits, unsigned number) {
  const unsigned unused = 32 - bits;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word) >> (bits * number) << unused) >> unused;
}

/// function(lane of a, lane of b, lane of c) for every lane, each saturated to its width.
template <typename Function>
std::int32_t by_lanes(unsigned bits, std::int32_t a, std::int32_t b, std::int32_t c, Function function) {
  const std::int32_t largest = (1 << (bits - 1)) - 1;
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 16 / bits; ++i) {
    const std::int32_t value =
        std::clamp(function(lane(a, bits, i), lane(b, bits, i), lane(c, bits, i)), -largest - 1, largest);
    word |= (static_cast<std::uint32_t>(value) & ((1u << bits) - 1)) << (bits * i);
  }
  return static_cast<std::int16_t>(word);
}

constexpr DpuOperands kTwoPairs = {0b0011, 0b1100};
constexpr DpuOperands kTwoSingles = {0b0001, 0b0100};
constexpr DpuOperands kOnePair = {0b0011, 0};
constexpr DpuOperands kOneSingle = {0b0001, 0};

/// The mode has an accumulator that it adds to.
bool accumulates(DpuMode mode) {
  return mode == DpuMode::sum_acc || mode == DpuMode::mac || mode == DpuMode::max_min_acc ||
         mode == DpuMode::acc_softmax || mode == DpuMode::mac_inter;
}

}  // namespace

DpuOperands operands_of(DpuMode mode) {
  switch (mode) {
    case DpuMode::add:
    case DpuMode::subt:
    case DpuMode::subt_abs:
    case DpuMode::mult:
    case DpuMode::mac:
    case DpuMode::axpy:
    case DpuMode::shift_l:
    case DpuMode::shift_r:
      return kTwoPairs;
    case DpuMode::sum_acc:
    case DpuMode::add_const:
    case DpuMode::mult_const:
    case DpuMode::ld_ir:
    case DpuMode::relu:
    case DpuMode::ld_acc:
    case DpuMode::scale_dw:
    case DpuMode::scale_up:
    case DpuMode::mac_inter:
      return kTwoSingles;
    case DpuMode::max_min:
    case DpuMode::div:
      return kOnePair;
    case DpuMode::mult_add:
      return {0b0111, 0};
    case DpuMode::max_min_acc:
    case DpuMode::max_min_const:
    case DpuMode::sigm:
    case DpuMode::tanhyp:
    case DpuMode::expon:
    case DpuMode::lk_relu:
    case DpuMode::acc_softmax:
    case DpuMode::div_softmax:
      return kOneSingle;
    case DpuMode::idle:
    case DpuMode::mode_6:
    case DpuMode::mode_15:
    case DpuMode::mode_31:
      break;
  }
  return {0, 0};
}

bool Dpu::State::operator==(const State& other) const {
  return acc == other.acc && ir == other.ir && quotients == other.quotients &&
         quotients_valid == other.quotients_valid && softmax == other.softmax && condition == other.condition &&
         operands == other.operands && restart == other.restart && valid == other.valid;
}

void Dpu::set_mode(DpuMode mode, std::uint8_t control) {
  if (mode == DpuMode::acc_softmax && mode_ != DpuMode::acc_softmax) state_.softmax = 0;
  if (mode != DpuMode::div && mode != DpuMode::div_softmax) {
    state_.quotients = {};
    state_.quotients_valid = {};
  }
  mode_ = mode;
  control_ = control;
  choose_product();
}

void Dpu::set_width(BitWidth width) {
  width_ = width;
  choose_product();
}

void Dpu::choose_product() {
  const bool fixed = (control_ & kFixedPoint) != 0 || width_ == BitWidth::q4_11;
  product_shift_ = fixed ? kFractionBits : 0;
}

bool Dpu::clock(const Inputs& in, bool valid, bool clear) {
  if (mode_ == DpuMode::idle && !clear && idle_) return false;
  if (valid || clear) {  // the next clock has other inputs, or accumulators to begin with
    work(in, valid, clear);
    return true;
  }
  const State before = state_;
  work(in, valid, clear);
  return !(state_ == before);
}

void Dpu::work(const Inputs& in, bool valid, bool clear) {
  const bool negate_first = io_change_ == kNegateFirst, negate_second = io_change_ == kNegateSecond;
  const Operands x{negate_first ? negated(in[0]) : in[0], negate_second ? negated(in[1]) : in[1],
                   negate_first ? negated(in[2]) : in[2], negate_second ? negated(in[3]) : in[3], in};
  idle_ = mode_ == DpuMode::idle;
  state_.valid = valid && !idle_;
  const Result result = compute(x);
  if (autoclear_ && valid && accumulates(mode_)) count_operand();
  state_.acc = {result.first, result.second};
  if (clear) {
    state_.acc = {};
    state_.operands = 0;
    state_.restart = false;
  }
  update_outputs();
}

void Dpu::count_operand() {
  state_.restart = false;
  if (constant_ != 0 && ++state_.operands >= constant_) {
    state_.operands = 0;
    state_.restart = true;
  }
}

std::int16_t Dpu::narrowed(std::int32_t value) const {
  return (control_ & kSaturate) != 0 ? saturated(value) : static_cast<std::int16_t>(value);
}

void Dpu::update_outputs() {
  for (unsigned i = 0; i < 2; ++i) outputs_[i] = mode_ == DpuMode::ld_acc ? std::int16_t{0} : narrowed(state_.acc[i]);
}

// Sums are exact in 32 bits, except where an accumulator or a product takes part.
Dpu::Result Dpu::compute(const Operands& x) {
  if (width_ == BitWidth::int8 || width_ == BitWidth::int4) {
    if (mode_ == DpuMode::add || mode_ == DpuMode::sum_acc || mode_ == DpuMode::subt || mode_ == DpuMode::mult ||
        mode_ == DpuMode::mac)
      return compute_lanes(x);
  }
  const std::int32_t ir0 = state_.ir[0], ir1 = state_.ir[1];
  const auto sum = [](std::int64_t a, std::int64_t b) { return saturated32(a + b); };
  switch (mode_) {
    case DpuMode::add:
      return {x.a0 + x.a1, x.a2 + x.a3};
    case DpuMode::sum_acc:
      return {sum(accumulated(0), x.a0), sum(accumulated(1), x.a2)};
    case DpuMode::add_const:
      return {x.a0 + ir0, x.a2 + ir1};
    case DpuMode::subt:
      return {x.a0 + negated(x.raw[1]), x.a2 + negated(x.raw[3])};
    case DpuMode::subt_abs:
      return {absolute(narrowed(x.a0 + negated(x.raw[1]))), absolute(narrowed(x.a2 + negated(x.raw[3])))};
    case DpuMode::mult:
      return {product(x.a0, x.a1), product(x.a2, x.a3)};
    case DpuMode::mult_add:
      return {sum(product(x.a0, x.a1), x.raw[2]), 0};
    case DpuMode::mult_const:
      return {product(x.a0, ir0), product(x.a2, ir1)};
    case DpuMode::mac:
      return {sum(accumulated(0), product(x.a0, x.a1)), sum(accumulated(1), product(x.a2, x.a3))};
    case DpuMode::mac_inter:
      return {sum(accumulated(0), product(x.a0, ir0)), sum(accumulated(1), product(x.a2, ir1))};
    case DpuMode::axpy:
      return {sum(product(x.a0, ir0), x.raw[1]), sum(product(x.a2, ir1), x.raw[3])};
    default:
      return special(x);
  }
}

Dpu::Result Dpu::compute_lanes(const Operands& x) const {
  const unsigned bits = width_ == BitWidth::int8 ? 8 : 4;
  const auto both = [&](auto function) {
    return Result{by_lanes(bits, x.a0, x.a1, accumulated(0), function),
                  by_lanes(bits, x.a2, x.a3, accumulated(1), function)};
  };
  switch (mode_) {
    case DpuMode::add:
      return both([](int a, int b, int) { return a + b; });
    case DpuMode::subt:
      return both([](int a, int b, int) { return a - b; });
    case DpuMode::mult:
      return both([](int a, int b, int) { return a * b; });
    case DpuMode::sum_acc:
      return both([](int a, int, int acc) { return acc + a; });
    default:
      return both([](int a, int b, int acc) { return acc + a * b; });
  }
}

Dpu::Result Dpu::special(const Operands& x) {
  switch (mode_) {
    case DpuMode::ld_ir:
      state_.ir = {static_cast<std::int16_t>(x.a0), static_cast<std::int16_t>(x.a2)};
      return {};
    case DpuMode::max_min_acc: {
      const std::int32_t largest = accumulated(0), smallest = accumulated(1);
      compare(x.a0, largest);
      return {std::max(x.a0, largest), std::min(x.a0, smallest)};
    }
    case DpuMode::max_min_const:
      compare(x.a0, state_.ir[0]);
      return {std::max<std::int32_t>(x.a0, state_.ir[0]), std::min<std::int32_t>(x.a0, state_.ir[0])};
    case DpuMode::max_min:
      compare(x.a0, x.a1);
      return {std::max(x.a0, x.a1), std::min(x.a0, x.a1)};
    case DpuMode::shift_l:
    case DpuMode::shift_r:
      return shift(x);
    case DpuMode::sigm:
      return {sigmoid(static_cast<std::int16_t>(x.a0)), 0};
    case DpuMode::tanhyp:
      return {hyperbolic_tangent(static_cast<std::int16_t>(x.a0)), 0};
    case DpuMode::expon:
      return {exponential(static_cast<std::int16_t>(x.a0)), 0};
    case DpuMode::lk_relu:
      compare(x.raw[0], 0);
      return {x.raw[0] > 0 ? x.raw[0] : x.raw[0] * constant_, 0};
    case DpuMode::relu:
      compare(x.a0, 0);
      return {std::max(x.a0, 0), std::max(x.a2, 0)};
    case DpuMode::div:
      return divide(x.a0, x.a1);
    case DpuMode::acc_softmax:
      state_.softmax = saturated32(std::int64_t{state_.restart ? 0 : state_.softmax} + x.a0);
      return {0, saturated32(std::int64_t{accumulated(1)} + x.a0)};
    case DpuMode::div_softmax:
      return divide(x.a0, state_.softmax);
    case DpuMode::ld_acc:
    case DpuMode::scale_dw:
    case DpuMode::scale_up:
      return {x.a0, x.a2};
    default:
      return {};
  }
}

// A quotient of Q4.11 numbers, cut towards zero, three register stages before the accumulator.
Dpu::Result Dpu::divide(std::int32_t dividend, std::int32_t divisor) {
  const Result result{state_.quotients.back(), 0};
  const bool result_valid = state_.quotients_valid.back();
  for (unsigned i = kDividerStages - 1; i > 0; --i) {
    state_.quotients[i] = state_.quotients[i - 1];
    state_.quotients_valid[i] = state_.quotients_valid[i - 1];
  }
  const std::int64_t scaled = std::int64_t{dividend} * (1 << kFractionBits);
  state_.quotients[0] = divisor != 0   ? saturated(scaled / divisor)
                        : dividend > 0 ? static_cast<std::int16_t>(kLargest)
                                       : static_cast<std::int16_t>(kSmallest);
  state_.quotients_valid[0] = state_.valid;
  state_.valid = result_valid;
  return result;
}

// Amounts have five bits. A left shift loses what leaves 32 bits, before saturation.
Dpu::Result Dpu::shift(const Operands& x) {
  bad_shift_ = bad_shift_ || x.a1 < 0 || x.a3 < 0;
  const auto shifted = [this](std::int32_t value, std::int32_t by) {
    const unsigned amount = static_cast<unsigned>(by) & 31;
    return mode_ == DpuMode::shift_r ? value >> amount
                                     : static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << amount);
  };
  return {shifted(x.a0, x.a1), shifted(x.a2, x.a3)};
}

}  // namespace vp::drra
