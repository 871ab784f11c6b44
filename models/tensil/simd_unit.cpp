#include "models/tensil/simd_unit.h"

#include <algorithm>

namespace vp::tensil {
namespace {

bool is_unary(SimdOperation operation) {
  switch (operation) {
    case SimdOperation::move:
    case SimdOperation::logical_not:
    case SimdOperation::increment:
    case SimdOperation::decrement:
    case SimdOperation::absolute:
    case SimdOperation::lookup:
      return true;
    default:
      return false;
  }
}

}  // namespace

SimdUnit::SimdUnit(const Architecture& architecture)
    : format_(architecture.format()),
      lanes_(architecture.array_size),
      depth_(architecture.simd_registers_depth),
      tables_(architecture.number_of_luts),
      table_depth_(architecture.lut_depth),
      registers_(std::size_t{depth_} * lanes_),
      table_entries_(std::size_t{tables_ + 1} * table_depth_) {}

void SimdUnit::reset() { std::fill(registers_.begin(), registers_.end(), 0); }

std::string SimdUnit::illegal(const Instruction& in) const {
  const auto operation = static_cast<SimdOperation>(in.simd_operation);
  const bool read = in.has(kSimdRead);
  if (in.simd_operation >= kSimdOperations || (operation == SimdOperation::lookup && tables_ == 0))
    return "SIMD operation " + std::to_string(in.simd_operation) + " does not exist";
  for (const std::uint32_t number : {in.left, in.right, in.destination})
    if (number > depth_) return "SIMD register " + std::to_string(number) + " does not exist";
  if (operation == SimdOperation::no_op)
    return in.flags == 0 ? "" : "SIMD no_op with flags unbalances the accumulators' queues";
  if (operation == SimdOperation::zero) return read ? "SIMD zero leaves the vector read in its queue" : "";
  if (is_unary(operation)) {
    if (operation == SimdOperation::lookup && in.destination + tables_ > depth_)
      return "a lookup into register " + std::to_string(in.destination) + " has too few registers for its values";
    if (in.left == 0) return read ? "" : "the SIMD operation takes an input, but none is read";
    return read == (in.right == 0) ? "" : "a unary SIMD operation reads exactly when its right source is the input";
  }
  if (read != (in.left == 0 || in.right == 0))
    return read ? "the SIMD operation leaves the vector read in its queue"
                : "the SIMD operation takes an input, but none is read";
  return "";
}

void SimdUnit::execute(const Instruction& in, const std::int32_t* input, std::int32_t* output) {
  const auto operation = static_cast<SimdOperation>(in.simd_operation);
  if (operation == SimdOperation::no_op) return;
  const std::int32_t* left = in.left ? reg(in.left) : input;
  const std::int32_t* right = in.right ? reg(in.right) : input;
  if (operation == SimdOperation::lookup)
    look_up(in.destination, left, output);
  else
    compute(operation, left, right, output);
  if (in.destination) std::copy_n(output, lanes_, own(in.destination));
}

void SimdUnit::compute(SimdOperation operation, const std::int32_t* left, const std::int32_t* right,
                       std::int32_t* output) const {
  const FixedPoint& f = format_;
  const auto each = [&](auto function) {
    for (unsigned i = 0; i < lanes_; ++i) output[i] = function(left[i]);
  };
  const auto each_pair = [&](auto function) {
    for (unsigned i = 0; i < lanes_; ++i) output[i] = function(left[i], right[i]);
  };
  const auto truth = [&f](bool holds) { return holds ? f.one() : 0; };
  using I = std::int32_t;
  switch (operation) {
    case SimdOperation::move:
      return each([](I l) { return l; });
    case SimdOperation::logical_not:
      return each([&](I l) { return truth(l == 0); });
    case SimdOperation::increment:
      return each([&](I l) { return add(f, l, f.one()); });
    case SimdOperation::decrement:
      return each([&](I l) { return subtract(f, l, f.one()); });
    case SimdOperation::absolute:
      return each([&](I l) { return tensil::absolute(f, l); });
    case SimdOperation::logical_and:
      return each_pair([&](I l, I r) { return truth(l != 0 && r != 0); });
    case SimdOperation::logical_or:
      return each_pair([&](I l, I r) { return truth(l != 0 || r != 0); });
    case SimdOperation::add:
      return each_pair([&](I l, I r) { return tensil::add(f, l, r); });
    case SimdOperation::subtract:
      return each_pair([&](I l, I r) { return tensil::subtract(f, l, r); });
    case SimdOperation::multiply:
      return each_pair([&](I l, I r) { return tensil::multiply(f, l, r); });
    case SimdOperation::greater_than:
      return each_pair([&](I l, I r) { return truth(l > r); });
    case SimdOperation::greater_than_equal:
      return each_pair([&](I l, I r) { return truth(l >= r); });
    case SimdOperation::minimum:
      return each_pair([](I l, I r) { return std::min(l, r); });
    case SimdOperation::maximum:
      return each_pair([](I l, I r) { return std::max(l, r); });
    case SimdOperation::zero:
    case SimdOperation::no_op:
    case SimdOperation::lookup:
      break;
  }
  std::fill_n(output, lanes_, 0);
}

unsigned SimdUnit::closest(std::int32_t argument) const {
  const std::int32_t* keys = &table_entries_[std::size_t{tables_} * table_depth_];
  unsigned best = 0;
  std::int64_t least = INT64_MAX;
  for (unsigned entry = 0; entry < table_depth_; ++entry) {
    const std::int64_t distance = std::int64_t{argument} - keys[entry];
    if (std::abs(distance) >= least) continue;
    least = std::abs(distance);
    best = entry;
  }
  return best;
}

void SimdUnit::look_up(unsigned destination, const std::int32_t* argument, std::int32_t* output) {
  for (unsigned i = 0; i < lanes_; ++i) {
    const std::int32_t value = argument[i];  // a register that the tables may overwrite
    const unsigned entry = closest(value);
    output[i] = subtract(format_, value, table_entries_[std::size_t{tables_} * table_depth_ + entry]);
    for (unsigned table = 0; table < tables_; ++table)
      own(destination + table + 1)[i] = table_entries_[std::size_t{table} * table_depth_ + entry];
  }
}

void SimdUnit::set_table(unsigned number, unsigned entry, std::int32_t scalar) {
  table_entries_[std::size_t{number} * table_depth_ + entry] = scalar;
}

}  // namespace vp::tensil
