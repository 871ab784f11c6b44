#include "models/drra/dimarch.h"

#include <algorithm>
#include <utility>

namespace vp::drra {
namespace {

/// From decoding an SRAM to the access of its memory, without hops and delay.
constexpr Cycle kRequestLatency = 4;
/// From reading a memory to the cell's block port, without hops; the second row of cells is one further.
constexpr Cycle kDeliveryLatency = 2;

}  // namespace

Dimarch::Dimarch(const DrraConfig& config, Report report)
    : config_(config), report_(std::move(report)), ports_(kRows * config.columns) {
  reset();
}

void Dimarch::reset() {
  tiles_.assign(std::size_t{config_.dimarch_rows} * config_.columns * kTileRows, Row{});
  input_.assign(config_.io_rows, Row{});
  output_.assign(config_.io_rows, Row{});
  std::fill(ports_.begin(), ports_.end(), CellPort());
  transfers_.clear();
  next_ = kNever;
}

bool Dimarch::Transfer::competes(const Transfer& other) const {
  if (request.writes != other.request.writes || request.is_io != other.request.is_io) return false;
  if (request.is_io) return request.cell == other.request.cell;
  return request.route.tile_row == other.request.route.tile_row &&
         request.route.tile_column == other.request.route.tile_column;
}

void Dimarch::request(const TransferRequest& request, Cycle cycle) {
  Transfer transfer;
  transfer.request = request;
  transfer.arrival = cycle + kRequestLatency + (request.is_io ? 0 : request.route.hops);
  next_ = std::min(next_, transfer.arrival);
  transfers_.push_back(transfer);
}

void Dimarch::clock(Cycle cycle) {
  if (next_ != cycle) return;
  admit(cycle);
  // Reads come first: they see a memory as it was before the writes of the same cycle.
  for (const bool writes : {false, true})
    for (Transfer& transfer : transfers_)
      if (transfer.arrived && transfer.request.writes == writes && transfer.stream.next() == cycle)
        access(transfer, cycle);
  transfers_.erase(std::remove_if(transfers_.begin(), transfers_.end(),
                                  [](const Transfer& one) { return one.arrived && !one.stream.active(); }),
                   transfers_.end());
  find_next();
}

void Dimarch::find_next() {
  next_ = kNever;
  for (const Transfer& transfer : transfers_) next_ = std::min(next_, transfer.next());
}

void Dimarch::become(const Dimarch& other) {
  tiles_ = other.tiles_;
  input_ = other.input_;
  output_ = other.output_;
  ports_ = other.ports_;
  transfers_ = other.transfers_;
  next_ = other.next_;
  last_write_ = other.last_write_;
  rows_read_ = other.rows_read_;
  rows_written_ = other.rows_written_;
}

// Requests that reach their memory in this cycle. A generator with addresses left ignores them.
void Dimarch::admit(Cycle cycle) {
  for (std::size_t i = 0; i < transfers_.size();) {
    Transfer& transfer = transfers_[i];
    if (transfer.arrived || transfer.arrival != cycle) {
      ++i;
      continue;
    }
    const bool busy = std::any_of(transfers_.begin(), transfers_.end(),
                                  [&](const Transfer& other) { return other.arrived && other.competes(transfer); });
    if (busy) {
      report_(FindingKind::tile_busy, cycle, transfer.request.cell, transfer.request.pc);
      transfers_.erase(transfers_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    transfer.arrived = true;
    transfer.stream.start(transfer.request.settings, cycle);
    ++i;
  }
}

void Dimarch::access(Transfer& transfer, Cycle cycle) {
  if (transfer.request.is_io) {
    access_io(transfer, cycle);
  } else {
    access_tile(transfer, cycle);
  }
  transfer.stream.advance();
}

void Dimarch::access_tile(Transfer& transfer, Cycle cycle) {
  const TransferRequest& request = transfer.request;
  const Route& route = request.route;
  const auto row = static_cast<unsigned>(route.tile_row), column = static_cast<unsigned>(route.tile_column);
  const unsigned address = static_cast<unsigned>(transfer.stream.address()) % kTileRows;
  if (request.writes) {
    note_conflict(transfer, address, cycle);
    ++rows_written_;
    last_write_ = cycle;
    const Row& value = ports_[request.cell].taken(cycle - 1 - route.hops).row;
    tile(row, column, address) = value;
    if (observer_ != nullptr) observer_->on_tile_write(cycle, row, column, address, value);
  } else {
    ++rows_read_;
    transfer.last_access = cycle;
    transfer.last_address = address;
    const Cycle arrival = cycle + kDeliveryLatency + route.hops + request.cell_row;
    ports_[request.cell].deliver(arrival, tile(row, column, address), 0);
  }
}

// Latencies as those of a memory without hops.
void Dimarch::access_io(Transfer& transfer, Cycle cycle) {
  const TransferRequest& request = transfer.request;
  const auto row = static_cast<std::uint32_t>(transfer.stream.address());
  const bool exists = row < config_.io_rows;
  if (!exists) report_(FindingKind::io_row, cycle, request.cell, request.pc);
  if (!request.writes) {
    ++rows_read_;
    ports_[request.cell].deliver(cycle + kDeliveryLatency + request.cell_row, exists ? input_[row] : Row{},
                                 request.mask);
    return;
  }
  ++rows_written_;
  last_write_ = cycle;
  if (!exists) return;
  const Row& value = ports_[request.cell].taken(cycle - 1).row;
  for (unsigned j = 0; j < kBlockWords; ++j)
    if ((request.mask >> j & 1) == 0) output_[row][j] = value[j];
}

// A write of a memory that was read in the same cycle: it has a single port.
void Dimarch::note_conflict(const Transfer& transfer, unsigned address, Cycle cycle) {
  for (const Transfer& other : transfers_) {
    if (other.request.writes || other.request.is_io || other.last_access != cycle) continue;
    if (other.request.route.tile_row != transfer.request.route.tile_row ||
        other.request.route.tile_column != transfer.request.route.tile_column)
      continue;
    if (other.last_address != address)
      report_(FindingKind::tile_conflict, cycle, transfer.request.cell, transfer.request.pc);
  }
}

}  // namespace vp::drra
