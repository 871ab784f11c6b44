#pragma once

#include "models/common/figures.h"
#include "models/memory/dram/dram_controller.h"
#include "models/memory/memory_timing.h"

namespace vp::dram {

/// A DRAM channel as the timing of a memory. Its answers depend on state, so it grants no fixed latency (and the memory
/// no DMI).
class DramTiming : public MemoryTiming {
 public:
  explicit DramTiming(const ChannelConfig& config, BusBeats beats = {}) : controller_(config, beats) {}

  Answer access(bool write, std::uint64_t offset, unsigned size, Picoseconds arrival) override {
    return answer(controller_.access(arrival, offset, size, write));
  }
  bool answers_later() const override { return true; }
  Pushed push(std::uint64_t token, bool write, std::uint64_t offset, unsigned size, Picoseconds arrival,
              Picoseconds alone_until) override {
    const DramController::Pushed pushed = controller_.push(token, arrival, offset, size, write, alone_until);
    return {pushed.over, answer(pushed.times), pushed.look};
  }
  Picoseconds next_event() const override { return controller_.next_event(); }
  void advance_to(Picoseconds now, std::vector<Later>& over) override {
    controller_.advance_to(now);
    take(over);
  }
  void settle(Picoseconds until, std::vector<Later>& over) override {
    controller_.settle(until);
    take(over);
  }
  void reset(Picoseconds now) override { controller_.reset(now); }
  void persist(Archive& archive) override { controller_.persist(archive); }
  double peak_bytes_per_second() const override { return controller_.config().peak_bytes_per_second(); }
  void report(Statistics& statistics) const override { write_figures(controller_.figures(), statistics); }

  void on_data(DataObserver observer) override { controller_.on_data(std::move(observer)); }
  std::string broken_conservation() const override { return controller_.broken_conservation(); }

 private:
  void take(std::vector<Later>& over) {
    controller_.take_answered(answered_);
    over.clear();
    for (const DramController::Answered& one : answered_) over.push_back({one.token, answer(one.times)});
  }
  static Answer answer(const DramController::Times& times) { return {times.complete, times.complete - times.first}; }

  DramController controller_;
  std::vector<DramController::Answered> answered_;
};

}  // namespace vp::dram
