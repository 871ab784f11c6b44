#include "tests/sw/window_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vp::test {
namespace {

constexpr unsigned kAccumulatorRows = 512;

uint32_t round_up_to_power_of_two(uint64_t value) {
  uint32_t result = 1;
  while (result < value) result *= 2;
  return result;
}

int64_t floor_shift(int64_t value, unsigned bits) { return value >> bits; }

// The low `bits` of a number, read as a two's complement number.
int64_t wrap_signed(int64_t value, unsigned bits) {
  const int64_t modulus = int64_t{1} << bits;
  const int64_t low = ((value % modulus) + modulus) % modulus;
  return low < modulus / 2 ? low : low - modulus;
}

uint8_t relu(int64_t a, bool is_signed) {
  const int64_t rounded = floor_shift(a, 8) + (floor_shift(a, 7) & 1);
  if (is_signed) return static_cast<uint8_t>(std::clamp<int64_t>(wrap_signed(rounded, 24), 0, 127));
  return static_cast<uint8_t>(std::min<int64_t>(rounded % (1 << 24), 255));
}

uint8_t sigmoid(int64_t a, bool is_signed) {
  if (is_signed) {
    const int64_t r = wrap_signed(floor_shift(a, 12) + (floor_shift(a, 11) & 1), 20);
    if (r < -88) return 0;
    if (r > 70) return 127;
    return static_cast<uint8_t>(std::floor(128 / (1 + std::exp(-static_cast<double>(r) / 16)) + 0.5));
  }
  const int64_t r = (floor_shift(a, 11) + (floor_shift(a, 10) & 1)) % (1 << 21);
  if (r > 164) return 255;
  return static_cast<uint8_t>(std::floor(256 / (1 + std::exp(-static_cast<double>(r) / 32)) + 0.5));
}

}  // namespace

uint8_t activation(uint32_t accumulator, unsigned function, bool is_signed) {
  const int64_t a = is_signed ? static_cast<int32_t>(accumulator) : static_cast<int64_t>(accumulator);
  if (function == 1) return relu(a, is_signed);
  if (function == 9) return sigmoid(a, is_signed);
  return static_cast<uint8_t>(accumulator >> 24);
}

WindowModel::WindowModel(unsigned width, unsigned weight_depth, unsigned unified_depth)
    : width_(width),
      stride_(std::max(16u, round_up_to_power_of_two(width))),
      weights_(weight_depth, Row(width)),
      unified_(unified_depth, Row(width)),
      preload_(width, std::vector<int>(width)),
      accumulators_(kAccumulatorRows, std::vector<uint32_t>(width)),
      accumulator_written_(kAccumulatorRows, -1000000),
      row_in_flight_(unified_depth) {
  const uint32_t weight_bytes = round_up_to_power_of_two(uint64_t{stride_} * weight_depth);
  const uint32_t unified_bytes = round_up_to_power_of_two(uint64_t{stride_} * unified_depth);
  unified_offset_ = std::max(weight_bytes, 2 * unified_bytes);
  instruction_offset_ = unified_offset_ + unified_bytes;
}

void WindowModel::violate(const std::string& what) {
  if (violations_.size() < 20) violations_.push_back("instruction " + std::to_string(instructions_) + ": " + what);
}

void WindowModel::check_host_access() {
  if (running_) violate("the host touches the unified buffer while a program runs");
}

void WindowModel::write(uint32_t offset, uint32_t word, unsigned strobes) {
  if (offset >= instruction_offset_) {
    const unsigned lane = (offset - instruction_offset_) / 4;
    if (lane < 1 || lane > 3) return violate("write to no instruction word");
    lanes_[lane - 1].push_back(word);
    return complete_instructions();
  }
  const bool unified = offset >= unified_offset_;
  if (unified) check_host_access();
  auto& rows = unified ? unified_ : weights_;
  const uint32_t row = (unified ? offset - unified_offset_ : offset) / stride_;
  if (row >= rows.size()) return violate("write behind a buffer");
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned element = offset % stride_ + byte;
    if ((strobes >> byte & 1) != 0 && element < width_) rows[row][element] = static_cast<uint8_t>(word >> 8 * byte);
  }
}

uint32_t WindowModel::read(uint32_t offset) {
  if (offset >= instruction_offset_) return offset == instruction_offset_ ? runtime_ : 0;
  if (offset < unified_offset_) return 0;
  check_host_access();
  const uint32_t row = (offset - unified_offset_) / stride_;
  uint32_t word = 0;
  for (unsigned byte = 0; byte < 4 && offset % stride_ + byte < width_; ++byte) {
    word |= uint32_t{unified_.at(row)[offset % stride_ + byte]} << 8 * byte;
  }
  return word;
}

bool WindowModel::take_interrupt() { return std::exchange(interrupt_, false); }

void WindowModel::complete_instructions() {
  while (!lanes_[0].empty() && !lanes_[1].empty() && !lanes_[2].empty()) {
    std::array<uint8_t, 12> bytes{};
    for (unsigned i = 0; i < 12; ++i) bytes[i] = static_cast<uint8_t>(lanes_[i / 4].front() >> 8 * (i % 4));
    for (auto& lane : lanes_) lane.pop_front();
    const auto number = [&](unsigned first, unsigned count) {
      uint64_t value = 0;
      for (unsigned i = 0; i < count; ++i) value |= uint64_t{bytes[first + i]} << 8 * i;
      return value;
    };
    execute({bytes[0], static_cast<uint32_t>(number(1, 4)), static_cast<unsigned>(number(5, 2)),
             static_cast<uint32_t>(number(7, 3)), number(5, 5)});
    ++instructions_;
  }
}

void WindowModel::execute(const Fields& fields) {
  if (!running_) {
    running_ = true;
    first_issue_ = last_issue_ + 1;  // all units are idle
  }
  if (holds_ && fields.op != 0xFF && (fields.op & 0xA0) == 0x20) {
    multiply(fields);  // runs the weights along
    return;
  }
  if (holds_) {
    load_tile(held_.weight, held_.length, (held_.op & 1) != 0);
    holds_ = false;
  }
  if (fields.op == 0xFF) return synchronize();
  if ((fields.op & 0x80) != 0) return activate(fields);
  if ((fields.op & 0x20) != 0) return multiply(fields);
  if ((fields.op & 0x08) != 0) return read_weights(fields);
  ++last_issue_;
}

void WindowModel::read_weights(const Fields& fields) {
  last_issue_ = std::max(last_issue_ + 1, weight_unit_.issue + weight_unit_.length + 4);
  weight_unit_ = {last_issue_, fields.length};
  if (fields.weight + fields.length > weights_.size()) violate("weights wrap round the buffer");
  held_ = fields;
  holds_ = true;
}

void WindowModel::load_tile(uint64_t first_row, uint32_t rows, bool is_signed) {
  for (uint32_t k = 0; k < rows; ++k) {
    const Row& row = weights_[(first_row + k) % weights_.size()];
    for (unsigned j = 0; j < width_; ++j) preload_[k % width_][j] = is_signed ? static_cast<int8_t>(row[j]) : row[j];
  }
}

int64_t WindowModel::exact_sum(const Row& vector, unsigned column, bool is_signed) const {
  int64_t sum = 0;
  for (unsigned i = 0; i < width_; ++i) {
    sum += int64_t{is_signed ? static_cast<int8_t>(vector[i]) : vector[i]} * preload_[i][column];
  }
  return sum;
}

void WindowModel::multiply(const Fields& fields) {
  last_issue_ = std::max(last_issue_ + 1, multiply_unit_.issue + multiply_unit_.length + 4);
  multiply_unit_ = {last_issue_, fields.length};
  const bool is_signed = (fields.op & 1) != 0, accumulates = (fields.op & 2) != 0;
  const bool streams = holds_;
  holds_ = false;
  if (streams && (last_issue_ - weight_unit_.issue > width_)) violate("weights run ahead of the multiply");
  if (!streams && fields.length > width_) violate("a multiply of several tiles without its own weights");
  if (streams && held_.length != fields.length) violate("weights and multiply have different lengths");
  if (fields.buffer + uint64_t{fields.length} > unified_.size()) violate("inputs wrap round the buffer");
  for (uint32_t k = 0; k < fields.length; ++k) {
    if (streams && k % width_ == 0)
      load_tile(held_.weight + k, std::min(width_, held_.length - k), (held_.op & 1) != 0);
    const uint32_t source = (fields.buffer + k) % unified_.size();
    if (row_in_flight_[source]) violate("multiply reads row " + std::to_string(source) + " before it is written");
    const unsigned row = (fields.accumulator + k % width_) % 65536 % kAccumulatorRows;
    if (accumulates && accumulator_written_[row] >= last_issue_ + width_ + 9 + k)
      violate("multiply adds to a stale sum");
    accumulator_written_[row] = last_issue_ + width_ + 15 + k;
    for (unsigned j = 0; j < width_; ++j) {
      int64_t sum = exact_sum(unified_[source], j, is_signed);
      // The sum has 17 + N bits and is extended by the signedness of the data alone.
      if (!is_signed && width_ < 15) sum &= (int64_t{1} << (17 + width_)) - 1;
      accumulators_[row][j] = (accumulates ? accumulators_[row][j] : 0) + static_cast<uint32_t>(sum);
    }
  }
}

void WindowModel::activate(const Fields& fields) {
  const Unit previous = activate_unit_;
  last_issue_ = std::max(
      {last_issue_ + 1, multiply_unit_.issue + multiply_unit_.length + 4, previous.issue + previous.length + 4});
  activate_unit_ = {last_issue_, fields.length};
  if (last_issue_ <= previous.issue + previous.length + 5) violate("back-to-back activates write extra rows");
  for (uint32_t k = 0; k < fields.length; ++k) {
    const unsigned row = (fields.accumulator + k) % 65536 % kAccumulatorRows;
    const uint32_t target = (fields.buffer + k) % unified_.size();
    if (fields.buffer + k >= unified_.size()) violate("results wrap round the buffer");
    if (accumulator_written_[row] >= last_issue_ + width_ + 15 + k) violate("activate reads an unfinished sum");
    row_in_flight_[target] = true;
    for (unsigned j = 0; j < width_; ++j) {
      unified_[target][j] = activation(accumulators_[row][j], fields.op & 0xF, (fields.op & 0x10) != 0);
    }
  }
}

void WindowModel::synchronize() {
  const int64_t n = width_;
  last_issue_ = std::max({last_issue_ + 1, weight_unit_.issue + weight_unit_.length + 7,
                          multiply_unit_.issue + multiply_unit_.length + n + 9,
                          activate_unit_.issue + activate_unit_.length + n + 19});
  runtime_ = static_cast<uint32_t>(last_issue_ - first_issue_ + 4);  // from the fetch of the first
  running_ = false;
  interrupt_ = true;
  std::fill(row_in_flight_.begin(), row_in_flight_.end(), false);
}

}  // namespace vp::test
