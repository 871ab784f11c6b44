#include "models/tinytpu/datapath.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "models/tinytpu/activation.h"

namespace vp::tinytpu {
namespace {

// Edges from issue to vector 0 of each stage (README, Timing); with kFromWidth, N more.
constexpr unsigned kWeightRead = 4, kPreloadWrite = 7;
constexpr unsigned kBufferRead = 4, kCopy = 7;
constexpr unsigned kAddendRead = 9, kSumWrite = 15;              // + N
constexpr unsigned kActivationRead = 15, kActivationWrite = 19;  // + N

constexpr Edge kWorthSkipping = 1 << 14;  // edges below which nobody looks for periods
constexpr Edge kLongestWindow = 64;       // while an activate is under way
constexpr Edge kOneWayWindow = 256;       // otherwise
constexpr std::uint64_t kScratchRows = 16;
constexpr std::uint64_t kAddends = 8;  // more than the 6 that can be between reading and writing
constexpr std::uint64_t kActivatedRows = 128;

// An addend is read this many edges before its sum is written. From this vector on, with wider arrays, nothing can
// write the row in between: the writes in between are those of vectors of the same multiply, N apart in rows.
constexpr unsigned kAccumulateLatency = kSumWrite - kAddendRead;

constexpr std::uint64_t kBufferRows = std::uint64_t{1} << 24;  // what 24 address bits reach
constexpr std::uint64_t kLongestPeriod = std::uint64_t{1} << 26;
constexpr std::size_t kLargestCompared = std::size_t{1} << 24;  // bytes of a buffer that is compared period by period

/// Of a row of accumulators: an odd number of the host's cache lines where rows are wide. Neighbouring rows would else
/// fall on a few sets of the cache, and reads of one seem to depend on writes of another.
std::size_t row_words(unsigned columns) { return columns < 64 ? columns : (columns / 16 | 1) * 16; }

unsigned accumulator_row(std::uint64_t address) { return address & 0xFFFF & (kAccumulatorRows - 1); }

}  // namespace

Datapath::Datapath(const TinyTpuConfig& config, HazardReport& hazards)
    : width_(config.matrix_width),
      columns_(padded_columns(width_)),
      padded_(padded_elements(width_)),
      row_words_(row_words(columns_)),
      window_(std::min<Edge>(width_ + kSumWrite - kBufferRead, kLongestWindow)),
      hazards_(hazards),
      inner_product_(fastest_inner_product(width_).function),
      weights_(width_, config.weight_depth),
      buffer_(width_, config.unified_buffer_depth),
      accumulators_(kAccumulatorRows * row_words_, "the accumulators"),
      preload_{&loads_, kPreloadWrite},
      read_{&multiplies_, kBufferRead},
      tile_{&multiplies_, kCopy},
      addend_{&multiplies_, width_ + kAddendRead},
      sum_{&multiplies_, width_ + kSumWrite},
      activation_{&activates_, width_ + kActivationRead},
      store_(width_, config.weight_depth),
      preloaded_(store_.zeros()),
      watch_(width_),
      staged_rows_(width_ + kSumWrite + kOneWayWindow),
      products_(kScratchRows * columns_),
      addends_(kAddends * columns_),
      activated_bytes_(kActivatedRows * columns_),
      activated_(kActivatedRows) {
  staged_.resize(staged_rows_ * padded_);
}

void Datapath::issue(const Issue& issue) {
  changed_ = issue.edge;
  switch (issue.instruction.kind()) {
    case InstructionKind::read_weights:
      return add_load(issue);
    case InstructionKind::matrix_multiply:
      return add_multiply(issue);
    case InstructionKind::activate:
      return add_activate(issue);
    case InstructionKind::synchronize:
    case InstructionKind::nothing:
      break;
  }
}

void Datapath::add_load(const Issue& issue) {
  const Instruction& in = issue.instruction;
  if (in.length == 0) return;
  loads_.push_back({issue.edge, in.weight_address(), in.length, in.weights_signed(), issue.number});
  preload_.find();
}

void Datapath::add_multiply(const Issue& issue) {
  const Instruction& in = issue.instruction;
  if (in.length == 0) return;
  multiplies_.push_back({issue.edge, in.buffer, in.accumulator, in.length, in.data_signed(), in.accumulates(),
                         issue.number, next_tile_, latched_vectors(issue)});
  next_tile_ += (std::uint64_t{in.length} + width_ - 1) / width_;
  for (MultiplyCursor* cursor : {&read_, &tile_, &sum_}) cursor->find();
  find_addend();
}

void Datapath::add_activate(const Issue& issue) {
  const Instruction& in = issue.instruction;
  if (has_activate_) add_extra_vectors(issue);
  last_activate_ = issue;
  has_activate_ = true;
  if (in.length != 0) {
    activates_.push_back(
        {issue.edge, in.buffer, in.accumulator, in.length, in.activation_code(), in.activation_signed(), issue.number});
  }
  activation_.find();
}

/// Extra rows (README, arithmetic): the write enable of the activate before `issue` is still on its way when this one
/// begins.
void Datapath::add_extra_vectors(const Issue& issue) {
  const Instruction& last = last_activate_.instruction;
  const Edge distance = issue.edge - last_activate_.edge - last.length;
  if (distance > 5) return;
  const unsigned vectors = distance == 4 ? 2 : 1;
  const std::uint64_t first = std::uint64_t{last.length} + 3 - vectors;
  const unsigned code = issue.instruction.activation_code() == 0 ? 0 : last.activation_code();
  const bool is_signed = last.activation_signed() && issue.instruction.activation_signed();
  activates_.push_back({last_activate_.edge + first, last.buffer + first,
                        static_cast<std::uint32_t>(last.accumulator + first), vectors, code, is_signed,
                        last_activate_.number});
  if (!hazards_.enabled()) return;
  const Edge edge = last_activate_.edge + width_ + kActivationWrite + first;
  hazards_.add({HazardKind::extra_writes, last_activate_.number, issue.number,
                buffer_.index((last.buffer + first) % kBufferRows), vectors, edge, edge + vectors - 1});
}

void Datapath::advance_to(Edge edge) {
  while (next_ <= edge) {
    if (stop_ && stop_->asked() && !idle()) give_up();
    if (idle()) {
      next_ = edge + 1;
      return;
    }
    if (edge - next_ < kWorthSkipping || !skip_periods(edge)) process_window(window_end(edge));
  }
}

/// Of the window that begins now and ends at `last` at the latest.
Edge Datapath::window_end(Edge last) const {
  if (one_way(next_ + window_)) return std::min({last + 1, next_ + kOneWayWindow, activation_.edge});
  return std::min(last + 1, next_ + window_);
}

void Datapath::give_up() {
  given_up_at_ = std::min(given_up_at_, next_);
  reset();
}

// ---- transfers of millions of rows
//
// A single instruction can run for 2^32 rows. After a while everything it does repeats: rows of the buffers by their
// depth, rows of the array by its width. What accumulates grows by the same amount every period (modulo 2^32), what
// does not stays. So one period is worked off as a sample and the others are added up at once.
//
// An activate beside a multiply feeds results back, which need not repeat. But if a period leaves all data as it found
// them, then so does every further one.

/// In edges; 0 if there is none, or if it is not worth waiting for.
std::uint64_t Datapath::period() const {
  if (loads_.size() > 1 || multiplies_.size() > 1 || activates_.size() > 1) return 0;
  if (feeds_back() && buffer_.bytes() > kLargestCompared) return 0;
  std::uint64_t period = 1;
  if (!activates_.empty()) period = std::lcm<std::uint64_t>(kAccumulatorRows, buffer_.depth());
  if (!multiplies_.empty()) {
    period = std::lcm<std::uint64_t>(period, std::lcm<std::uint64_t>(width_, buffer_.depth()));
    // Narrow arrays add to the sum of 2 to 4 tiles before, through the ring of addends.
    if (width_ <= kAccumulateLatency) period = std::lcm<std::uint64_t>(period, 12 * width_ * kAddends);
  }
  if (!loads_.empty()) period = std::lcm<std::uint64_t>(period, std::lcm<std::uint64_t>(width_, weights_.depth()));
  return period <= kLongestPeriod ? period : 0;
}

/// For how many edges all instructions certainly go on as now, addresses included. `settling`: edges after a change
/// until every pipeline holds only what came after it.
std::uint64_t Datapath::edges_as_now(Edge settling) const {
  std::uint64_t edges = ~std::uint64_t{0};
  const auto limit = [&](std::uint64_t done, std::uint64_t length, std::uint64_t address, std::uint64_t rows,
                         unsigned depth) {
    edges = std::min(edges, done < length ? length - done : 0);
    if (rows % depth == 0) return;
    // The wrapped address breaks the period: stop before it, and begin anew after it.
    const std::uint64_t row = (address + done) % rows;
    edges = address + done >= rows && row < settling ? 0 : std::min(edges, rows - row);
  };
  if (!loads_.empty()) limit(preload_.vector, loads_[0].length, loads_[0].address, kWeightRows, weights_.depth());
  if (!multiplies_.empty()) {
    if (read_.at != 0 || tile_.at != 0) return 0;
    limit(std::max(read_.vector, tile_.vector), multiplies_[0].length, multiplies_[0].buffer, kBufferRows,
          buffer_.depth());
  }
  if (!activates_.empty())
    limit(activation_.vector, activates_[0].length, activates_[0].buffer, kBufferRows, buffer_.depth());
  return edges;
}

/// Passes over as many whole periods as possible up to `last`; false: none.
bool Datapath::skip_periods(Edge last) {
  const std::uint64_t length = period();
  if (length == 0) return false;
  // An activate must have been once around, too.
  const Edge settling = 4 * width_ + 2 * kOneWayWindow + (activates_.empty() ? 0 : length);
  if (next_ < changed_ + settling) return false;
  const std::uint64_t periods = std::min(last + 1 - next_, edges_as_now(settling)) / length;
  if (periods < 4) return false;
  const std::vector<std::uint32_t> accumulators(accumulators_.begin(), accumulators_.end()), addends = addends_;
  const HazardReport::Counts counts = hazards_.counts();
  const std::optional<Contents> found = feeds_back() ? std::optional(contents()) : std::nullopt;
  for (const Edge end = next_ + length; next_ < end;) {
    if (stop_ && stop_->asked()) return true;
    process_window(window_end(end - 1));
  }
  if (found && !(*found == contents())) return true;
  const std::uint64_t repeats = periods - 2;
  const auto repeat = [&](auto& now, const std::vector<std::uint32_t>& before) {
    for (std::size_t i = 0; i < now.size(); ++i) now[i] += static_cast<std::uint32_t>(repeats) * (now[i] - before[i]);
  };
  repeat(accumulators_, accumulators);
  repeat(addends_, addends);
  hazards_.repeat(counts, repeats, repeats * length);
  shift(repeats * length);
  return true;
}

Datapath::Contents Datapath::contents() const {
  Contents now{buffer_, {accumulators_.begin(), accumulators_.end()}, addends_, {}, {}, {}};
  for (std::uint64_t i = staged_out_; i < staged_in_; ++i) {
    const std::uint8_t* vector = &staged_[i % staged_rows_ * padded_];
    now.staged.insert(now.staged.end(), vector, vector + padded_);
  }
  for (std::uint64_t i = activated_out_; i < activated_in_; ++i) {
    const std::uint64_t slot = i % kActivatedRows;
    const std::uint8_t* bytes = &activated_bytes_[slot * columns_];
    now.activated.insert(now.activated.end(), bytes, bytes + width_);
    now.activated_rows.insert(now.activated_rows.end(), {activated_[slot].row, activated_[slot].edge - next_});
  }
  return now;
}

bool Datapath::Contents::operator==(const Contents& other) const {
  return buffer == other.buffer && accumulators == other.accumulators && addends == other.addends &&
         staged == other.staged && activated == other.activated && activated_rows == other.activated_rows;
}

/// Moves everything under way by a number of edges that is a multiple of the period.
void Datapath::shift(Edge edges) {
  next_ += edges;
  passed_over_ += edges;
  const auto move = [edges](auto& cursor) {
    if (cursor.at != 0 || cursor.edge == kNoEdge) return;
    cursor.vector += edges;
    cursor.edge += edges;
  };
  move(preload_);
  for (MultiplyCursor* cursor : {&read_, &tile_, &addend_, &sum_}) move(*cursor);
  move(activation_);
  chunk_.edge += edges;
  watch_.shift(edges);
  if (!multiplies_.empty())
    for (TileRun& run : tiles_) run.end += edges / width_;
  for (std::uint64_t i = activated_out_; i < activated_in_; ++i) activated_[i % kActivatedRows].edge += edges;
}

void Datapath::host_access(Edge edge, const HostAccess& access, std::uint8_t* row_read) {
  if (edge > 0) advance_to(edge - 1);
  process_window(edge + 1, &access, row_read);
  changed_ = next_;
}

void Datapath::process_window(Edge end, const HostAccess* host, std::uint8_t* host_read) {
  process_weights(end);
  if (!host && one_way(end)) {
    process_buffer(end, nullptr, nullptr);
    process_accumulators(end);
  } else {
    process_accumulators(end);
    process_buffer(end, host, host_read);
  }
  next_ = end;
  retire();
}

/// Removes instructions that have passed their last stage.
void Datapath::retire() {
  if (preload_.at + sum_.at + activation_.at > 0) changed_ = next_;
  for (; preload_.at > 0; --preload_.at) loads_.pop_front();
  for (; sum_.at > 0; --sum_.at) {
    multiplies_.pop_front();
    for (MultiplyCursor* cursor : {&read_, &tile_, &addend_}) --cursor->at;
  }
  for (; activation_.at > 0; --activation_.at) activates_.pop_front();
}

// ---- accumulators

/// So many first vectors of a multiply must take their addends when they are read, since something writes their rows
/// before their sums do: the end of the multiply before, or, in narrow arrays, the tile before.
std::uint64_t Datapath::latched_vectors(const Issue& issue) const {
  const Instruction& in = issue.instruction;
  if (!in.accumulates()) return 0;
  if (width_ <= kAccumulateLatency) return in.length;
  if (multiplies_.empty()) return 0;
  const Multiply& before = multiplies_.back();
  const Edge behind_its_sums = before.edge + before.length + kAccumulateLatency;
  return behind_its_sums > issue.edge ? std::min<std::uint64_t>(behind_its_sums - issue.edge, in.length) : 0;
}

/// Moves addend_ on to the next vector whose addend must be latched when it is read.
void Datapath::find_addend() {
  addend_.find();
  while (addend_.edge != kNoEdge && addend_.vector >= addend_.job().latched)
    addend_.advance(addend_.job().length - addend_.vector);
}

void Datapath::process_accumulators(Edge end) {
  for (;;) {
    // At one edge both read ports return the old contents.
    const Edge read = std::min(addend_.edge, activation_.edge);
    if (read <= sum_.edge) {
      if (read >= end) return;
      addend_.edge <= activation_.edge ? latch_addend() : read_activations(end);
    } else {
      if (sum_.edge >= end) return;
      write_sums(std::min(std::min(end, read) - sum_.edge, sum_.job().length - sum_.vector));
    }
  }
}

void Datapath::latch_addend() {
  const Multiply& job = addend_.job();
  const unsigned row = accumulator_row(job.accumulator + addend_.vector % width_);
  std::copy_n(accumulators(row), columns_, &addends_[addends_in_++ % kAddends * columns_]);
  addend_.advance(1);
  find_addend();
}

void Datapath::write_sums(std::uint64_t count) {
  const Multiply& job = sum_.job();
  // Unsigned data: the sum of 17 + N bits is zero-extended, whatever the weights (README, Arithmetic).
  const std::uint32_t mask = job.is_signed || width_ >= 15 ? ~0U : (1U << (17 + width_)) - 1;
  while (count > 0) {
    const unsigned lane = static_cast<unsigned>(sum_.vector % width_);
    const unsigned row = accumulator_row(job.accumulator + lane);
    // Rows that follow one another in the accumulators and among the vectors, with the same weights.
    std::uint64_t rows = std::min<std::uint64_t>(
        {count, width_ - lane, kAccumulatorRows - row, staged_rows_ - staged_out_ % staged_rows_});
    const PackedWeights& weights = store_.at(weights_of(job.first_tile + sum_.vector / width_));
    std::uint32_t* sums = &accumulators_[row * row_words_];
    const std::uint64_t latched = sum_.vector < job.latched ? job.latched - sum_.vector : 0;
    const bool direct = latched == 0 && mask == ~0U;
    if (!direct) rows = std::min({rows, kScratchRows, latched > 0 ? latched : rows});
    const Vectors vectors{staged(staged_out_), job.is_signed, static_cast<unsigned>(rows)};
    if (direct) {
      multiply(inner_product_, weights, vectors, {sums, row_words_, job.accumulate});
    } else {
      multiply(inner_product_, weights, vectors, {products_.data(), columns_, false});
      for (std::uint64_t i = 0; i < rows; ++i, sums += row_words_)
        add_products(&products_[i * columns_], mask, addend_of(job, latched > 0, sums), sums);
    }
    staged_out_ += rows;
    count -= rows;
    sum_.advance(rows);
  }
}

/// What is added to the products of a row: nullptr for nothing.
const std::uint32_t* Datapath::addend_of(const Multiply& job, bool latched, const std::uint32_t* sums) {
  if (!job.accumulate) return nullptr;
  return latched ? &addends_[addends_out_++ % kAddends * columns_] : sums;
}

void Datapath::add_products(const std::uint32_t* products, std::uint32_t mask, const std::uint32_t* addend,
                            std::uint32_t* sums) const {
  if (addend)
    for (unsigned i = 0; i < columns_; ++i) sums[i] = addend[i] + (products[i] & mask);
  else
    for (unsigned i = 0; i < columns_; ++i) sums[i] = products[i] & mask;
}

void Datapath::read_activations(Edge end) {
  const Activate& job = activation_.job();
  std::uint64_t left = rows_before_sums(std::min(
      {end - activation_.edge, job.length - activation_.vector, kActivatedRows - activated_in_ + activated_out_}));
  while (left > 0) {
    const unsigned row = accumulator_row(job.accumulator + activation_.vector);
    const std::uint64_t slot = activated_in_ % kActivatedRows;
    const std::uint64_t rows = std::min<std::uint64_t>({left, kAccumulatorRows - row, kActivatedRows - slot});
    for (std::uint64_t i = 0; i < rows; ++i) {
      activate_row(accumulators(row + static_cast<unsigned>(i)), &activated_bytes_[(slot + i) * columns_], width_,
                   job.code, job.is_signed);
      activated_[slot + i] = {buffer_.index((job.buffer + activation_.vector + i) % kBufferRows),
                              activation_.edge + i + kActivationWrite - kActivationRead, job.number};
    }
    activated_in_ += rows;
    left -= rows;
    activation_.advance(rows);
  }
}

/// How many of the next `rows` reads of the activate can come before the next sum is written without missing any; that
/// sum is not written before the first of them.
std::uint64_t Datapath::rows_before_sums(std::uint64_t rows) const {
  const Edge read = activation_.edge;
  if (sum_.edge >= read + rows - 1) return rows;
  const Multiply& job = sum_.job();
  const std::uint64_t in_order = sum_.edge - read + 1, lane = sum_.vector % width_;
  const std::uint64_t in_job = std::min(rows, in_order + job.length - sum_.vector);
  const unsigned first = accumulator_row(activation_.job().accumulator + activation_.vector);
  const auto distance_of = [&](std::uint64_t address) { return (accumulator_row(address) - first) % kAccumulatorRows; };
  if (const unsigned tile = distance_of(job.accumulator); tile >= in_job && tile + width_ <= kAccumulatorRows)
    return in_job;
  // Within a tile both go up by one row an edge, so one that is written after it has been read follows the others.
  const std::uint64_t in_tile = std::min(in_job, in_order + width_ - lane);
  const unsigned distance = distance_of(job.accumulator + lane);
  return distance >= in_tile || read + distance <= sum_.edge ? in_tile : in_order;
}

// ---- unified buffer

void Datapath::process_buffer(Edge end, const HostAccess* host, std::uint8_t* host_read) {
  for (;;) {
    const Edge write = activated_in_ == activated_out_ ? kNoEdge : activated_[activated_out_ % kActivatedRows].edge;
    // At one edge the multiply reads what the activate writes.
    if (write <= read_.edge) {
      if (write >= end) break;
      write_activation(host);
    } else {
      if (read_.edge >= end) break;
      // With a host access the window is one edge long: the activate's write is done, now comes the host's port.
      if (host) break;
      read_buffer(rows_before_writes(std::min(end - read_.edge, read_.job().length - read_.vector)), nullptr);
    }
  }
  if (!host) return;
  std::uint8_t* row = buffer_.at(host->row);
  std::copy_n(row, width_, host_read);
  if (host->data) {
    for (unsigned i = 0; i < width_; ++i)
      if (host->enable[i]) row[i] = host->data[i];
  }
  if (read_.edge < end) read_buffer(1, host);
}

/// How many of the next `rows` reads of the multiply can come before the activate's next write without missing any.
std::uint64_t Datapath::rows_before_writes(std::uint64_t rows) const {
  const unsigned first = buffer_.index((read_.job().buffer + read_.vector) % kBufferRows);
  for (std::uint64_t i = activated_out_; i < activated_in_; ++i) {
    const ActivatedRow& written = activated_[i % kActivatedRows];
    if (written.edge >= read_.edge + rows) break;
    const unsigned distance = written.row >= first ? written.row - first : written.row + buffer_.depth() - first;
    // Rows that wrap may come twice.
    if (distance < rows || rows > buffer_.depth()) return written.edge - read_.edge;
  }
  return rows;
}

void Datapath::write_activation(const HostAccess* host) {
  const std::uint64_t slot = activated_out_++ % kActivatedRows;
  const ActivatedRow& activated = activated_[slot];
  if (host) host_collides(*host, activated.number, activated.edge);
  std::copy_n(&activated_bytes_[slot * columns_], width_, buffer_.at(host ? host->row : activated.row));
}

void Datapath::read_buffer(std::uint64_t count, const HostAccess* host) {
  const Multiply& job = read_.job();
  if (host) host_collides(*host, job.number, read_.edge);
  while (count > 0) {
    const std::uint64_t address = (job.buffer + read_.vector) % kBufferRows;
    const unsigned row = host ? host->row : buffer_.index(address);
    // Rows that follow one another in the buffer and in the ring.
    const std::uint64_t rows = std::min<std::uint64_t>(
        {count, kBufferRows - address, buffer_.depth() - row, staged_rows_ - staged_in_ % staged_rows_});
    if (padded_ == columns_) {
      std::copy_n(buffer_.at(row), rows * columns_, staged(staged_in_));
    } else {
      for (unsigned i = 0; i < rows; ++i) std::copy_n(buffer_.at(row + i), columns_, staged(staged_in_ + i));
    }
    staged_in_ += rows;
    count -= rows;
    read_.advance(rows);
  }
}

void Datapath::host_collides(const HostAccess& host, std::uint64_t number, Edge edge) {
  if (!hazards_.enabled()) return;
  Hazard hazard{HazardKind::host_collision, number, kNoInstruction, host.row, 1, edge, edge};
  hazard.other_pushed.origin = host.origin;
  hazards_.add(hazard);
}

// ---- host and reset

void Datapath::host_write_weights(Edge edge, unsigned row, const std::uint8_t* data, const std::uint8_t* enable) {
  changed_ = edge + 1;
  latch_rows(row, edge);
  std::uint8_t* bytes = weights_.at(row);
  for (unsigned i = 0; i < width_; ++i)
    if (enable[i]) bytes[i] = data[i];
  store_.row_written(row);
  rewrite_row(row, edge);
}

void Datapath::reset() {
  loads_.clear();
  multiplies_.clear();
  activates_.clear();
  preload_.clear();
  for (MultiplyCursor* cursor : {&read_, &tile_, &addend_, &sum_}) cursor->clear();
  activation_.clear();
  store_.release(preloaded_);
  preloaded_ = store_.zeros();
  chunk_ = {};
  watch_.reset();
  latched_.clear();
  for (const TileRun& run : tiles_) store_.release(run.weights);
  tiles_.clear();
  staged_in_ = staged_out_ = 0;
  addends_in_ = addends_out_ = 0;
  activated_in_ = activated_out_ = 0;
  has_activate_ = false;
}

}  // namespace vp::tinytpu
