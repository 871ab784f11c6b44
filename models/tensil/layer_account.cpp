#include "models/tensil/layer_account.h"

#include <algorithm>

namespace vp::tensil {
namespace {

/// A program with more is no network that anybody wants told by layers.
constexpr std::size_t kMostLayers = 4096;

double of(const Layer& layer, Activity activity) { return layer.counts[static_cast<unsigned>(activity)].cycles; }

}  // namespace

const char* name_of(Bound bound) {
  static constexpr const char* kNames[kBounds] = {
      "array", "dram0", "dram1", "accumulator moves", "simd", "instruction stream"};
  return kNames[static_cast<unsigned>(bound)];
}

double Layer::cycles() const {
  double sum = stream_waited;
  for (const ActivityCount& count : counts) sum += count.cycles;
  return sum;
}

double cycles_at(const Layer& layer, Bound bound) {
  switch (bound) {
    case Bound::array:
      return of(layer, Activity::mat_mul) + of(layer, Activity::load_weight);
    case Bound::dram0:
      return of(layer, Activity::dram0_read) + of(layer, Activity::dram0_write);
    case Bound::dram1:
      return of(layer, Activity::dram1_read) + of(layer, Activity::dram1_write);
    case Bound::accumulator_moves:
      return of(layer, Activity::accumulator_move);
    case Bound::simd:
      return of(layer, Activity::simd) + of(layer, Activity::load_lut);
    case Bound::stream:
      return layer.stream_waited;
  }
  return 0;
}

Bound bound_of(const Layer& layer) {
  auto most = Bound::array;
  for (unsigned i = 1; i < kBounds; ++i)
    if (const auto one = static_cast<Bound>(i); cycles_at(layer, one) > cycles_at(layer, most)) most = one;
  return most;
}

LayerAccount::LayerAccount(Core& core) : core_(core) {
  if (core.architecture().number_of_threads != 1) return;
  written_.resize(core.architecture().dram0_depth);
  core.add_observer(*this);
}

void LayerAccount::begin_frame() {
  counting_ = true;
  present_ = 0;
  macs_ = core_.figures().useful_multiply_accumulates;
  end_ = 0;
}

void LayerAccount::begin_layer(std::uint32_t program_counter) {
  ++epoch_;
  if (++present_ <= layers_.size() || layers_.size() == kMostLayers) return;
  layers_.emplace_back();
  layers_.back().program_counter = program_counter;
}

bool LayerAccount::reads_own_output(const Instruction& in) const {
  if (in.operation != Operation::data_move || in.flow() != DataFlow::dram0_to_local) return false;
  for (std::uint64_t v = 0; v < in.count(); ++v)
    if (const std::uint64_t row = in.address1 + (v << in.stride1); row < written_.size() && written_[row] == epoch_)
      return true;
  return false;
}

void LayerAccount::note_output(const Instruction& in) {
  if (in.operation != Operation::data_move || in.flow() != DataFlow::local_to_dram0) return;
  for (std::uint64_t v = 0; v < in.count(); ++v)
    if (const std::uint64_t row = in.address1 + (v << in.stride1); row < written_.size()) written_[row] = epoch_;
}

void LayerAccount::count(const Instruction& in) {
  Layer& layer = layers_[std::min(present_, layers_.size()) - 1];
  const Timing::Decoded& times = core_.timing().decoded();
  const Activity activity = core_.timing().newest().activity;
  const double taken = static_cast<double>(times.end - times.asked) / 2;
  ActivityCount& count = layer.counts[static_cast<unsigned>(activity)];
  ++layer.instructions;
  ++count.instructions;
  count.cycles += taken;
  count.work += static_cast<double>(times.work) / 2;
  count.waited += std::max(0.0, taken - static_cast<double>(times.work) / 2);
  if (end_ != 0 && times.asked > end_) layer.stream_waited += static_cast<double>(times.asked - end_) / 2;
  end_ = times.end;
  layer.useful_multiply_accumulates += core_.figures().useful_multiply_accumulates - macs_;
  macs_ = core_.figures().useful_multiply_accumulates;
  if (!is_dram(activity)) return;
  const unsigned port = activity == Activity::dram1_read || activity == Activity::dram1_write;
  const bool reads = activity == Activity::dram0_read || activity == Activity::dram1_read;
  (reads ? layer.bytes_read : layer.bytes_written)[port] += in.count() * core_.architecture().vector_bytes();
}

void LayerAccount::executed(std::uint32_t program_counter, const Instruction& in, Picoseconds, std::uint64_t,
                            std::uint64_t) {
  if (!counting_) return;
  if (present_ == 0 || reads_own_output(in)) begin_layer(program_counter);
  count(in);
  note_output(in);
}

}  // namespace vp::tensil
