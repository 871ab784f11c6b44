#include "models/drra/device.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/wording.h"
#include "models/drra/core_report.h"

namespace vp::drra {
namespace {

// In cycles of the fabric's clock. No hardware with this DMA has been recorded.
constexpr unsigned kStartCycles = 4;   // write of DMA_CONTROL to the first burst
constexpr unsigned kFinishCycles = 4;  // last response to DMA_DONE

}  // namespace

Device::Device(const DeviceConfig& config, MasterPort& port, VisibleTimer& timer, InterruptLine& interrupt)
    : config_(config),
      clock_(config.fabric.clock_period),
      timer_(timer),
      interrupt_(interrupt),
      registers_(config.fabric),
      fabric_(config.fabric),
      dma_(config.fabric.clock_period, config.dma_burst_rows, config.dma_outstanding, port, *this),
      code_(registers_.cells) {
  dma_.on_drained = [this](const Answer& answer) { drained(answer); };
  dma_.on_progress = [this](Picoseconds now) { announce(now); };
  connect_registers();
}

void Device::connect_registers() {
  registers_.control.on_write = [this](Registers::Word value, Picoseconds& now) { write_control(value, now); };
  registers_.status.on_write = [this](Registers::Word value, Picoseconds&) {
    registers_.status.value = value;
    drive_interrupt();
  };
  registers_.cycles.on_read = [this](Picoseconds& now) {
    const std::uint64_t cycles = run_cycles(now);
    registers_.cycles_msb.value = static_cast<Registers::Word>(cycles >> 32);
    return static_cast<Registers::Word>(cycles);
  };
  registers_.cycles.on_peek = [this](Picoseconds now) { return static_cast<Registers::Word>(run_cycles(now)); };
  registers_.findings.on_peek = [this](Picoseconds) {
    return static_cast<Registers::Word>(std::min<std::uint64_t>(fabric().findings().total(), ~Registers::Word{0}));
  };
  registers_.findings.on_read = [this](Picoseconds& now) {
    catch_up(now);
    return registers_.findings.on_peek(now);
  };
  registers_.length.on_write = [this](unsigned cell, Registers::Word words, Picoseconds&) {
    registers_.length.values[cell] = std::min<Registers::Word>(words, kInstructionWords);
  };
  registers_.cell_state.on_peek = [this](unsigned cell, Picoseconds) { return cell_word(cell); };
  registers_.cell_state.on_read = [this](unsigned cell, Picoseconds& now) {
    catch_up(now);
    return cell_word(cell);
  };
  registers_.dma_control.on_write = [this](Registers::Word value, Picoseconds& now) { start_transfer(value, now); };
}

Answer Device::access(const Access& access) {
  origin_ = origin_of(access);
  return TargetModel::access(access);
}

Registers::Word Device::cell_word(unsigned cell) const {
  const Cell& one = fabric().cell(cell);
  Registers::Word word = one.sequencer.pc() | static_cast<Registers::Word>(one.sequencer.state()) << 8;
  for (unsigned port = 0; port < kPorts; ++port)
    word |= static_cast<Registers::Word>(one.registers.active(static_cast<Port>(port))) << (16 + port);
  return word;
}

AccessResult Device::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  pass(now);
  if (window_word(config_.fabric, offset).memory == WindowMemory::none)
    return registers_.bank.read(offset, data, size, now);
  catch_up(now);
  return debug_read(offset, data, size) == size ? AccessResult::ok : AccessResult::address_error;
}

AccessResult Device::write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) {
  pass(now);
  const WindowMemory memory = window_word(config_.fabric, offset).memory;
  if (memory == WindowMemory::none) return registers_.bank.write(offset, data, size, now);
  if (memory == WindowMemory::instructions) return write_memory(offset, data, size);
  catch_up(now);
  const AccessResult result = write_memory(offset, data, size);
  look_again(now);
  return result;
}

unsigned Device::debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) {
  if (window_word(config_.fabric, offset).memory == WindowMemory::none)
    return registers_.bank.debug_read(offset, data, size);
  for (unsigned i = 0; i < size; ++i) {
    const WindowWord place = window_word(config_.fabric, offset + i);
    if (place.memory == WindowMemory::none) return i;
    data[i] = memory_byte(place, offset + i);
  }
  return size;
}

std::uint8_t Device::memory_byte(const WindowWord& place, std::uint64_t offset) const {
  if (place.memory == WindowMemory::instructions)
    return static_cast<std::uint8_t>(code_[place.block][place.word / 2] >> 8 * (offset % 4));
  return static_cast<std::uint8_t>(static_cast<std::uint16_t>(read_word(fabric(), place)) >> 8 * (offset % 2));
}

void Device::set_memory_byte(const WindowWord& place, std::uint64_t offset, std::uint8_t value) {
  if (place.memory == WindowMemory::instructions) {
    std::uint32_t& word = code_[place.block][place.word / 2];
    const unsigned shift = 8 * (offset % 4);
    word = (word & ~(0xFFu << shift)) | std::uint32_t{value} << shift;
    return;
  }
  const unsigned shift = 8 * (offset % 2);
  const auto word = static_cast<std::uint16_t>(read_word(fabric(), place));
  write_word(fabric_.change(), place,
             static_cast<std::int16_t>((word & ~(0xFFu << shift)) | static_cast<unsigned>(value) << shift));
}

AccessResult Device::write_memory(std::uint64_t offset, const std::uint8_t* data, unsigned size) {
  for (unsigned i = 0; i < size; ++i) {
    const WindowWord place = window_word(config_.fabric, offset + i);
    if (place.memory == WindowMemory::none) return AccessResult::address_error;
    set_memory_byte(place, offset + i, data[i]);
  }
  return AccessResult::ok;
}

Row Device::row(bool is_io, unsigned number, Picoseconds now) {
  catch_up(now);
  return is_io ? fabric().dimarch().output(number) : fabric().dimarch().row_of_tiles(number);
}

void Device::set_row(bool is_io, unsigned number, const Row& row, Picoseconds now) {
  catch_up(now);
  Dimarch& dimarch = fabric_.change().dimarch();
  (is_io ? dimarch.input(number) : dimarch.row_of_tiles(number)) = row;
}

void Device::write_control(Registers::Word value, Picoseconds now) {
  registers_.control.value = value;
  const bool starts = registers_.start, resets = registers_.reset;
  registers_.start.set(false);
  registers_.reset.set(false);
  if (resets) return clear(now);
  if (starts) start(now);
  drive_interrupt();
}

void Device::start(Picoseconds now) {
  if (registers_.running) return starts_while_running_.add(now, origin_);
  started_ = clock_.edge_at_or_after(now);
  fabric_.advance_to(started_);
  load_programs();
  if (on_start_) on_start_(now, origin_);
  Core& fabric = fabric_.change();
  fabric.start();
  registers_.running.set(true);
  registers_.done.set(false);
  look_at_ = fabric.done() ? started_ : fabric_.look();
  announce(now);
}

void Device::load_programs() {
  Core& fabric = fabric_.change();
  const unsigned columns = config_.fabric.columns;
  for (unsigned cell = 0; cell < registers_.cells; ++cell) {
    const unsigned length = registers_.length.values[cell];
    fabric.load(cell / columns, cell % columns, {code_[cell].begin(), code_[cell].begin() + length});
  }
}

/// Cycles of the run under way, or of the last one.
std::uint64_t Device::run_cycles(Picoseconds now) const {
  if (!registers_.running) return run_cycles_;
  const Cycle cycle = clock_.edge_at_or_before(now);
  return cycle < started_ ? 0 : cycle - started_;
}

void Device::conclude_run() {
  run_cycles_ = look_at_ - started_;
  if (run_observer_) run_observer_(clock_.time_of(started_), clock_.time_of(look_at_), false);
  look_at_ = kNever;
  ++done_.run.runs;
  done_.run.cycles += run_cycles_;
  registers_.running.set(false);
  registers_.done.set(true);
  drive_interrupt();
}

void Device::start_transfer(Registers::Word value, Picoseconds now) {
  const bool busy = registers_.dma_busy;
  if (!busy) registers_.dma_control.value = value;
  const bool starts = registers_.dma_start.of(value);
  registers_.dma_start.set(false);
  if (!starts) return;
  if (busy) return transfers_while_busy_.add(now, origin_);
  RowTransfer transfer;
  transfer.to_memory = registers_.dma_to_memory;
  transfer.is_io = registers_.dma_io;
  transfer.address = std::uint64_t{registers_.dma_address_msb.value} << 32 | registers_.dma_address.value;
  transfer.first_row = registers_.dma_row.value;
  transfer.rows = registers_.dma_rows.value;
  transfer.pc = origin_.pc;
  registers_.dma_busy.set(true);
  registers_.dma_done.set(false);
  registers_.dma_error.set(false);
  drive_interrupt();
  transfer_started_ = now;
  const Cycle edge = clock_.edge_at_or_after(now);
  if (possible(transfer)) {
    dma_.begin(transfer, clock_.time_of(edge + kStartCycles));
  } else {
    impossible_transfers_.add(now, origin_);
    transfer_result_ = AccessResult::error;
    transfer_end_ = clock_.time_of(edge + kFinishCycles);
  }
  announce(now);
}

/// All rows are there, and no address is beyond the last one.
bool Device::possible(const RowTransfer& transfer) const {
  const std::uint64_t rows = transfer.is_io ? config_.fabric.io_rows : fabric().dimarch().tile_rows();
  const std::uint64_t bytes = std::uint64_t{transfer.rows} * kRowBytes;
  return transfer.rows > 0 && std::uint64_t{transfer.first_row} + transfer.rows <= rows &&
         transfer.address <= ~std::uint64_t{0} - (bytes - 1);
}

void Device::drained(const Answer& answer) {
  pass(answer.completion);
  transfer_result_ = answer.result;
  transfer_end_ = clock_.time_of(clock_.edge_at_or_after(answer.completion) + kFinishCycles);
  look_again(answer.completion);
}

void Device::conclude_transfer() {
  const bool failed = transfer_result_ != AccessResult::ok;
  ++(failed ? done_.dma.failed : done_.dma.transfers);
  done_.dma.busy += *transfer_end_ - transfer_started_;
  if (transfer_observer_) transfer_observer_(transfer_started_, *transfer_end_, failed);
  transfer_end_.reset();
  registers_.dma_busy.set(false);
  (failed ? registers_.dma_error : registers_.dma_done).set(true);
  drive_interrupt();
}

/// What ends by `now` has ended.
void Device::pass(Picoseconds now) {
  while (registers_.running && clock_.time_of(look_at_) <= now) {
    fabric_.advance_to(look_at_);
    if (fabric().done())
      conclude_run();
    else
      look_at_ = fabric_.look();
  }
  if (transfer_end_ && *transfer_end_ <= now) conclude_transfer();
}

void Device::catch_up(Picoseconds now) {
  pass(now);
  fabric_.advance_to(clock_.edge_at_or_before(now));
}

void Device::deliver(Picoseconds due) {
  pass(due);
  announce(due);
}

/// Something in the fabric has changed.
void Device::look_again(Picoseconds now) {
  if (registers_.running) look_at_ = fabric().done() ? fabric().cycle() : fabric_.look();
  announce(now);
}

/// Keeps the time of the next visible change in the timer, or the earliest that it can come: rows on their way can
/// change what a run does, so that its end may come with the next edge.
void Device::announce(Picoseconds now) {
  Picoseconds next = registers_.running ? clock_.time_of(look_at_) : kNever;
  if (transfer_end_) next = std::min(next, *transfer_end_);
  if (dma_.under_way()) {
    const bool into_a_run = registers_.running && !dma_.transfer().to_memory;
    next = std::min(next, now + (into_a_run ? 1 : kFinishCycles) * clock_.period());
  }
  timer_.set(next);
}

void Device::clear(Picoseconds now) {
  pass(now);
  fabric_.advance_to(clock_.edge_at_or_before(now));
  fabric_.change().reset();
  if (registers_.running) {
    ++done_.run.cancelled;
    done_.run.cycles += run_cycles(now);
    if (run_observer_) run_observer_(clock_.time_of(started_), std::max(now, clock_.time_of(started_)), true);
  }
  if (registers_.dma_busy) {
    ++done_.dma.cancelled;
    if (transfer_observer_) transfer_observer_(transfer_started_, now, true);
  }
  dma_.abandon();
  transfer_end_.reset();
  look_at_ = kNever;
  run_cycles_ = 0;
  for (CellCode& code : code_) code = {};
  registers_.bank.reset();
  drive_interrupt();
  timer_.set(kNever);
}

void Device::reset(Picoseconds now) { clear(now); }

}  // namespace vp::drra
