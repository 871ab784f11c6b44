// What of a fabric is saved, and what is derived from it.
#include <algorithm>

#include "models/common/archive.h"
#include "models/drra/core.h"

namespace vp::drra {

void StreamSettings::persist(Archive& archive) {
  archive("first", first)("delay", delay)("l1_more", l1_more)("l1_step", l1_step)("l1_delay", l1_delay);
  archive("l2_more", l2_more)("l2_step", l2_step)("l2_delay", l2_delay);
}

void AddressStream::persist(Archive& archive) {
  archive("settings", settings_)("i", i_)("j", j_)("base", base_)("address", address_)("next", next_);
}

void RegisterFile::persist(Archive& archive) {
  archive("words", words_)("streams", streams_)("pcs", pcs_)("addresses", addresses_);
  for (const std::uint8_t pc : pcs_) archive.require(pc < kInstructionWords, "pcs", "is out of range");
  if (archive.loading()) settle();
}

void Raccu::persist(Archive& archive) {
  archive("registers", registers_)("changed", changed_);
  for (const std::int8_t value : registers_) archive.require(value == wrap7(value), "registers", "is out of range");
}

void LoopManagers::Loop::persist(Archive& archive) {
  archive("active", active).below("body", body, 2 * kInstructionWords).below("end", end, kInstructionWords);
  archive("left", left)("step", step);
}

void LoopManagers::persist(Archive& archive) {
  archive("loops", loops_);
  active_ =
      static_cast<unsigned>(std::count_if(loops_.begin(), loops_.end(), [](const Loop& one) { return one.active; }));
}

void Sequencer::persist(Archive& archive, DecoderProfile profile) {
  auto words = code_->words;
  unsigned length = length_;
  archive("words", words).below("length", length, kInstructionWords + 1);
  if (archive.loading()) load({words.begin(), words.begin() + length}, profile);
  archive.below("pc", pc_, kInstructionWords)("next", next_)("state", state_, SequencerState::ended);
  archive("raccu", raccu_)("loops", loops_)("written_iterator", written_iterator_)("written_at", written_at_);
  archive.require(written_iterator_ >= -1 && written_iterator_ < static_cast<int>(kRaccuRegisters), "written_iterator",
                  "is out of range");
}

void Dpu::State::persist(Archive& archive) {
  archive("acc", acc)("ir", ir)("quotients", quotients)("quotients_valid", quotients_valid)("softmax", softmax);
  archive("condition", condition)("operands", operands)("restart", restart)("valid", valid);
}

void Dpu::persist(Archive& archive) {
  archive("mode", mode_, DpuMode::mode_31)("control", control_)("width", width_, BitWidth::int4);
  archive("constant", constant_)("io_change", io_change_)("bad_shift", bad_shift_)("idle", idle_);
  archive("state", state_)("outputs", outputs_);
  choose_product();
}

void Route::persist(Archive& archive) {
  archive("set", set)("tile_row", tile_row)("tile_column", tile_column).below("hops", hops, 15);
}

void CellPort::Slot::persist(Archive& archive) { archive("cycle", cycle)("mask", mask)("row", row); }

void CellPort::persist(Archive& archive) { archive("incoming", incoming_)("outgoing", outgoing_); }

void TransferRequest::persist(Archive& archive) {
  archive("writes", writes)("is_io", is_io)("cell", cell).below("cell_row", cell_row, kRows)("route", route);
  archive("settings", settings)("mask", mask).below("pc", pc, kInstructionWords);
}

void Dimarch::Transfer::persist(Archive& archive) {
  archive("request", request)("arrival", arrival)("arrived", arrived)("stream", stream);
  archive("last_access", last_access)("last_address", last_address);
}

void Dimarch::persist(Archive& archive) {
  const auto rows = [&archive](const char* name, std::vector<Row>& memory) {
    archive.sparse(name, reinterpret_cast<std::uint8_t*>(memory.data()), memory.size() * sizeof(Row));
  };
  rows("tiles", tiles_);
  rows("input", input_);
  rows("output", output_);
  archive.fixed("ports", ports_)("transfers", transfers_);
  archive("last_write", last_write_)("rows_read", rows_read_)("rows_written", rows_written_);
  for (const Transfer& transfer : transfers_) {
    const TransferRequest& request = transfer.request;
    archive.require(request.cell < ports_.size(), "transfers", "has a cell that is not there");
    archive.require(request.is_io || has_tile(request.route.tile_row, request.route.tile_column), "transfers",
                    "has a memory that is not there");
  }
  find_next();
}

void Finding::persist(Archive& archive) {
  archive("kind", kind, static_cast<FindingKind>(kFindingKinds - 1))("cycle", cycle).below("row", row, kRows);
  archive.below("column", column, kMostColumns).below("pc", pc, kInstructionWords);
  archive("instruction", instruction)("started", started);
}

void FindingLog::persist(Archive& archive) { archive("counts", counts_)("kept", kept_); }

void CellCounters::persist(Archive& archive) {
  archive("instructions", instructions)("wait_cycles", wait_cycles)("dpu_busy", dpu_busy);
}

void Cell::persist(Archive& archive, DecoderProfile profile, unsigned outputs) {
  sequencer.persist(archive, profile);
  archive("registers", registers)("dpu", dpu)("read_route", read_route)("write_route", write_route);
  archive("sources", sources)("routed", routed)("reported", reported).below("dpu_pc", dpu_pc, kInstructionWords);
  for (const std::uint16_t source : sources) archive.require(source <= outputs, "sources", "is out of range");
  for (LateConfiguration& one : late) {
    // Only instructions of one word act late.
    std::uint32_t word = one.decoded == kNever ? 0 : encode(one.instruction, profile).front();
    archive("decoded", one.decoded)("word", word);
    const std::uint32_t chunks[] = {word & kChunkMask, 0, 0};
    if (archive.loading()) one.instruction = decode(&chunks[0], profile);
  }
  archive("late_until", late_until)("halted", halted)("counters", counters);
}

void WorkCycles::persist(Archive& archive) { archive("compute", compute)("data", data)("instructions", instructions); }

void Core::persist(Archive& archive) {
  archive.same("columns", config_.columns).same("dimarch_rows", config_.dimarch_rows);
  archive.same("io_rows", config_.io_rows).same("profile", static_cast<unsigned>(config_.profile));
  archive.same("acc_autoclear", config_.acc_autoclear);
  archive("cycle", cycle_)("started", started_)("last_activity", last_activity_);
  for (Cell& cell : cells_) cell.persist(archive, config_.profile, cells() * kOutputs);
  archive.fixed("outputs", outputs_)("dimarch", dimarch_)("findings", findings_);
  if (archive.version() >= 2) archive("work_cycles", work_cycles_);
  if (archive.loading()) derive();
}

void Core::become(const Core& other) {
  cycle_ = other.cycle_;
  started_ = other.started_;
  last_activity_ = other.last_activity_;
  work_cycles_ = other.work_cycles_;
  cells_ = other.cells_;
  outputs_ = other.outputs_;
  dimarch_.become(other.dimarch_);
  findings_ = other.findings_;
  derive();
}

// Who listens to whom, and that all cells are awake: those with nothing to do go to sleep after a cycle.
void Core::derive() {
  std::fill(listeners_.begin(), listeners_.end(), CellSet{});
  wake_ups_ = {};
  live_cells_ = 0;
  for (Cell& cell : cells_) {
    for (unsigned input = kDpuInput; input < kInputs; ++input) listen(cell.sources[input], cell.index, true);
    cell.queued = kNever;
    cell.live = false;
    note_liveness(cell);
    wake(cell.index);
  }
}

}  // namespace vp::drra
