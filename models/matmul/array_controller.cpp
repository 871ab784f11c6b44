#include "models/matmul/array_controller.h"

#include <algorithm>

namespace vp::matmul {

ArrayController::ArrayController(const CoreConfig& config)
    : mesh_(config.mesh), tile_(config.tile), side_(config.side()), late_load_hang_(config.errata.late_load_hang) {
  for (auto& bank : bank_) bank.assign(config.block_words(), 0);
  a_.assign(config.block_words(), 0);
  d_.assign(config.block_words(), 0);
  writes_.reserve(side_);
}

void ArrayController::reset() {
  load_ = comp_ = Path();
  resting_load_tick_ = 0;
  bank_valid_ = {};
  writes_.clear();
}

std::uint64_t ArrayController::next_edge(std::uint64_t cycle, const Requests& requests) const {
  const Grant grant = arbitrate(requests);
  if (comp_.held() || grant.load >= 0 || grant.comp >= 0) return cycle + 1;
  if (!load_.held()) return kNoEdge;
  const std::uint32_t tick = load_tick(cycle);
  // A used-up counter does nothing until it wraps.
  return tick <= side_ + mesh_ ? cycle + 1 : cycle + (std::uint64_t{1} << 32) - tick + 1;
}

int ArrayController::clock(std::uint64_t cycle, const Requests& requests, const BlockMemory& memory) {
  const Grant grant = arbitrate(requests);  // sees the locks as they were before this edge
  const bool comp_free = !comp_.held();
  if (comp_.held()) {
    const std::uint64_t tick = comp_tick(cycle - 1);
    read_operands(tick, memory);
    compute(tick, memory);
    if (comp_finished(cycle - 1)) comp_.owner = -1;
  }
  if (load_.held()) {
    load_rows(load_tick(cycle - 1), memory);
    if (load_finished(cycle - 1)) {
      bank_valid_[static_cast<unsigned>(load_.owner)] = true;
      resting_load_tick_ = load_tick(cycle);
      load_.owner = -1;
    }
  }
  if (grant.comp >= 0)
    grant_comp(cycle, static_cast<unsigned>(grant.comp), requests[static_cast<unsigned>(grant.comp)]);
  if (grant.load < 0) return -1;
  const auto loader = static_cast<unsigned>(grant.load);
  return grant_load(cycle, loader, requests[loader].b, comp_free) ? grant.load : -1;
}

ArrayController::Grant ArrayController::arbitrate(const Requests& requests) const {
  Grant grant;
  if (!comp_.held()) {
    for (int thread = 0; thread < 2 && grant.comp < 0; ++thread)
      if (requests[static_cast<unsigned>(thread)].comp_request && load_.owner != thread) grant.comp = thread;
  }
  if (!load_.held()) {
    for (int thread = 0; thread < 2 && grant.load < 0; ++thread)
      if (requests[static_cast<unsigned>(thread)].load_request && comp_.owner != thread) grant.load = thread;
  }
  return grant;
}

// The original restarts the load counter only where both paths are free; a grant beside a running COMP leaves it at
// rest, which after any earlier LOAD is past the value that ends a LOAD.
bool ArrayController::grant_load(std::uint64_t cycle, unsigned thread, std::uint32_t address, bool comp_free) {
  const std::uint32_t tick = comp_free || !late_load_hang_ ? 0 : resting_load_tick_;
  load_ = {static_cast<int>(thread), cycle - tick};
  b_address_ = address;
  return tick > side_ + mesh_;
}

void ArrayController::grant_comp(std::uint64_t cycle, unsigned thread, const ThreadOutputs& request) {
  comp_ = {static_cast<int>(thread), cycle};
  a_address_ = request.a;
  d_address_ = request.d;
  c_address_ = request.c;
}

void ArrayController::read_tile_row(std::vector<std::uint32_t>& to, std::uint32_t base, unsigned row, unsigned group,
                                    const BlockMemory& memory) {
  const unsigned offset = row * side_ + group * tile_;
  const std::uint32_t address = memory.tile_address(base + offset);
  for (unsigned t = 0; t < tile_; ++t) to[offset + t] = memory.read(address + t);
}

// Group i reads row side-1-(tick-i): the bottom row enters first and is pushed down.
void ArrayController::load_rows(std::uint32_t tick, const BlockMemory& memory) {
  auto& bank = bank_[static_cast<unsigned>(load_.owner)];
  for (unsigned group = 0; group < mesh_; ++group)
    if (tick >= group && tick - group < side_)
      read_tile_row(bank, b_address_, side_ - 1 - (tick - group), group, memory);
}

void ArrayController::read_operands(std::uint64_t tick, const BlockMemory& memory) {
  for (unsigned group = 0; group < mesh_; ++group) {
    if (tick < group || tick - group >= side_) continue;
    const auto row = static_cast<unsigned>(tick - group);
    read_tile_row(a_, a_address_, row, group, memory);
    read_tile_row(d_, d_address_, row, group, memory);
  }
}

// Row r of column group j leaves the array mesh clocks after its D entered, at tick mesh+j+r. Without a loaded bank the
// elements are marked invalid, which keeps the write off.
void ArrayController::compute(std::uint64_t tick, const BlockMemory& memory) {
  const auto thread = static_cast<unsigned>(comp_.owner);
  if (!bank_valid_[thread]) return;
  const std::vector<std::uint32_t>& b = bank_[thread];
  for (unsigned group = 0; group < mesh_; ++group) {
    if (tick < mesh_ + group || tick - mesh_ - group >= side_) continue;
    const auto row = static_cast<unsigned>(tick - mesh_ - group);
    const unsigned offset = row * side_ + group * tile_;
    const std::uint32_t address = memory.tile_address(c_address_ + offset);
    for (unsigned t = 0; t < tile_; ++t) {
      std::uint32_t sum = d_[offset + t];
      for (unsigned k = 0; k < side_; ++k) sum += a_[row * side_ + k] * b[k * side_ + group * tile_ + t];
      writes_.push_back({address + t, sum});
    }
  }
}

void ArrayController::commit(BlockMemory& memory) {
  for (const Word& word : writes_) memory.write(word.address, word.value);
  writes_.clear();
}

}  // namespace vp::matmul
