// What each instruction does when it is decoded.
#include <algorithm>

#include "models/drra/core.h"

namespace vp::drra {
namespace {

/// `low` with `extension` above its `width` bits.
unsigned extended(unsigned low, unsigned extension, unsigned width) { return low | extension << width; }

/// A number of `width` bits as two's complement.
int signed_bits(unsigned value, unsigned width) {
  const unsigned unused = 32 - width;
  return static_cast<int>(value << unused) >> unused;
}

}  // namespace

void Core::report(FindingKind kind, Cycle cycle, const Cell& cell, unsigned pc) {
  if (findings_.count(kind))
    findings_.keep({kind, cycle, cell.row, cell.column, pc, to_text(cell.sequencer.at(pc)), started_});
}

void Core::decode(Cell& cell, Cycle cycle, unsigned condition) {
  Sequencer& sequencer = cell.sequencer;
  const Instruction& in = sequencer.current();
  sequencer.settle_iterators(cycle);
  ++cell.counters.instructions;
  work_ |= decoded;
  last_activity_ = cycle;
  const unsigned pc = sequencer.pc();
  if (observer_) observer_->on_instruction(cycle, cell, pc, in);
  if (work_observer_) work_observer_->on_decode(cell.index, cycle);
  Cycle duration = 1;
  std::optional<unsigned> target;
  switch (in.operation) {
    case Operation::halt:
      cell.halted = cycle;
      return sequencer.halt();
    case Operation::refi:
      start_register_stream(cell, in, cycle);
      break;
    case Operation::dpu:
    case Operation::swb:
    case Operation::bw:
    case Operation::perm:
      set_late(cell, in, cycle);
      break;
    case Operation::jump:
      target = in[jump::pc];
      break;
    case Operation::wait:
      duration += sequencer.dynamic(in, wait::cycle, wait::cycle_sd, in[wait::cycle_sd] != 0 ? 7 : 15);
      cell.counters.wait_cycles += duration - 1;
      if (work_observer_ && duration > 1) work_observer_->on_wait(cell.index, cycle + 1, cycle + duration - 1);
      break;
    case Operation::loop:
      return start_loop(cell, in, cycle);
    case Operation::raccu:
      sequencer.raccu().execute(in);
      if (in[raccu::mode] != 0) sequencer.iterator_written(in[raccu::result], cycle);
      break;
    case Operation::branch:
      if ((in[branch::mode] & condition) == 0) target = in[branch::false_pc];
      break;
    case Operation::route:
      set_memory_route(cell, in);
      break;
    case Operation::sram:
      request_sram(cell, in, cycle);
      break;
    case Operation::io:
      request_io(cell, in, cycle);
      break;
    case Operation::nothing:
      break;
  }
  if (sequencer.complete(cycle, duration, target)) report(FindingKind::jump_at_loop_end, cycle, cell, pc);
}

void Core::set_late(Cell& cell, const Instruction& instruction, Cycle cycle) {
  cell.late[cycle & 1] = {instruction, cycle};
  cell.late_until = cycle + 2;
  if (instruction.operation == Operation::dpu) cell.dpu_pc = cell.sequencer.pc();
}

void Core::start_register_stream(Cell& cell, const Instruction& in, Cycle cycle) {
  const Sequencer& sequencer = cell.sequencer;
  StreamSettings stream;
  stream.first = static_cast<int>(sequencer.dynamic(in, refi::init_addr, refi::init_addr_sd, 6));
  stream.delay = sequencer.dynamic(in, refi::init_delay, refi::init_delay_sd, 6);
  stream.l1_more = sequencer.dynamic(in, refi::l1_iter, refi::l1_iter_sd, 6);
  stream.l1_step = static_cast<int>(sequencer.dynamic(in, refi::l1_step, refi::l1_step_sd, 6));
  if (in[refi::l1_step_sign] != 0) stream.l1_step = -stream.l1_step;
  // A dynamic field gives the low bits; the extension stands above them.
  stream.l1_delay = extended(sequencer.dynamic(in, refi::l1_delay, refi::l1_delay_sd, 4), in[refi::l1_delay_ext], 4);
  stream.l2_more = extended(sequencer.dynamic(in, refi::l2_iter, refi::l2_iter_sd, 5), in[refi::l2_iter_ext], 5);
  stream.l2_step = static_cast<int>(extended(in[refi::l2_step], in[refi::l2_step_ext], 4));
  stream.l2_delay = sequencer.dynamic(in, refi::l2_delay, refi::l2_delay_sd, 6);
  unsigned port = in[refi::port_no];
  if (in[refi::dimarch] != 0) {
    if (port != w0 && port != r0) return;  // the other two lead nowhere
    port = port == w0 ? block_write : block_read;
  }
  if (!cell.registers.start_stream(static_cast<Port>(port), stream, cycle + 1, sequencer.pc()))
    return report(FindingKind::stream_busy, cycle, cell, sequencer.pc());
  const AddressStream& started = cell.registers.stream(static_cast<Port>(port));
  if (work_observer_) work_observer_->on_stream(cell.index, static_cast<Port>(port), started.next(), started.last());
}

void Core::start_loop(Cell& cell, const Instruction& in, Cycle cycle) {
  Sequencer& sequencer = cell.sequencer;
  const unsigned count = sequencer.dynamic(in, loop::iter, loop::iter_sd, 6);
  if (count == 0) return sequencer.skip_body(cycle, in[loop::endpc]);
  const int start = signed_bits(sequencer.dynamic(in, loop::start, loop::start_sd, 6), 6);
  const int step = signed_bits(sequencer.dynamic(in, loop::step, loop::step_sd, 6), 6);
  const unsigned body = sequencer.pc() + in.chunks;
  sequencer.complete(cycle, 1, std::nullopt);
  sequencer.loops().arm(in[loop::loopid], body, in[loop::endpc], count, start, step, sequencer.raccu());
}

void Core::set_memory_route(Cell& cell, const Instruction& in) {
  const int across = static_cast<int>(in[route::horizontal_hops]), up = static_cast<int>(in[route::vertical_hops]);
  Route path;
  path.set = true;
  path.hops = in[route::horizontal_hops] + in[route::vertical_hops];
  path.tile_column = static_cast<int>(cell.column) + (in[route::horizontal_dir] != 0 ? across : -across);
  path.tile_row = up == 0 ? 1 : in[route::vertical_dir] != 0 ? 1 + up : -up;  // nothing lies south of the cells
  (in[route::direction] != 0 ? cell.write_route : cell.read_route) = path;
}

void Core::request_sram(Cell& cell, const Instruction& in, Cycle cycle) {
  const Sequencer& sequencer = cell.sequencer;
  TransferRequest request;
  request.writes = in[sram::rw] != 0;
  request.cell = cell.index;
  request.cell_row = cell.row;
  request.route = request.writes ? cell.write_route : cell.read_route;
  request.pc = sequencer.pc();
  const Route& route = request.route;
  if (!route.set || !dimarch_.has_tile(route.tile_row, route.tile_column))
    return report(FindingKind::no_route, cycle, cell, request.pc);
  if (in[sram::hops] != route.hops) return report(FindingKind::wrong_hops, cycle, cell, request.pc);
  StreamSettings& stream = request.settings;
  stream.first = static_cast<int>(sequencer.dynamic(in, sram::init_addr, sram::init_addr_sd, 7));
  stream.delay = sequencer.dynamic(in, sram::init_delay, sram::init_delay_sd, 4);
  stream.l1_more = sequencer.dynamic(in, sram::l1_iter, sram::l1_iter_sd, 7);
  stream.l1_delay = sequencer.dynamic(in, sram::l1_delay, sram::l1_delay_sd, 6);
  stream.l2_more = sequencer.dynamic(in, sram::l2_iter, sram::l2_iter_sd, 7);
  stream.l2_delay = sequencer.dynamic(in, sram::l2_delay, sram::l2_delay_sd, 6);
  stream.l1_step = in[sram::l1_step_sd] != 0 ? sequencer.raccu()[in[sram::l1_step]] : value_of(in, sram::l1_step);
  stream.l2_step = in[sram::l2_step_sd] != 0 ? sequencer.raccu()[in[sram::l2_step]] : value_of(in, sram::l2_step);
  dimarch_.request(request, cycle);
}

void Core::request_io(Cell& cell, const Instruction& in, Cycle cycle) {
  const Sequencer& sequencer = cell.sequencer;
  TransferRequest request;
  request.is_io = true;
  request.writes = in[io::rw] != 0;
  request.cell = cell.index;
  request.cell_row = cell.row;
  request.pc = sequencer.pc();
  request.mask = static_cast<std::uint16_t>(in[io::mask]);
  StreamSettings& stream = request.settings;
  stream.first = static_cast<int>(sequencer.dynamic(in, io::init_addr, io::init_addr_sd, 7));
  stream.delay = sequencer.dynamic(in, io::init_delay, io::init_delay_sd, 6);
  stream.l1_more = sequencer.dynamic(in, io::l1_iter, io::l1_iter_sd, 5);
  stream.l1_delay = in[io::l1_delay];
  stream.l1_step = in[io::l1_step_sd] != 0 ? sequencer.raccu()[in[io::l1_step]] : value_of(in, io::l1_step);
  dimarch_.request(request, cycle);
}

}  // namespace vp::drra
