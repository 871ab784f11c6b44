#include <algorithm>

#include "models/common/archive.h"
#include "models/tinytpu/device.h"

// What the classes of the device save. Scratch memory that is filled and used within one call is not state.

namespace vp::tinytpu {

// ---- instructions and sequencer

void Instruction::persist(Archive& archive) {
  archive("opcode", opcode)("length", length)("accumulator", accumulator)("buffer", buffer);
}

void Issue::persist(Archive& archive) { archive("instruction", instruction)("number", number)("edge", edge); }

void Sequencer::Stage::persist(Archive& archive) {
  archive("valid", valid)("instruction", instruction)("kind", kind, InstructionKind::synchronize)("number", number);
}

void Sequencer::State::persist(Archive& archive) {
  archive("next", next)("input", input)("pipe", pipe)("output", output)("coordinator", coordinator);
  archive("popped", popped)("free_from", free_from)("resource_free_from", resource_free_from);
}

void Sequencer::persist(Archive& archive) {
  archive.same("width", width_).same("depth", depth_);
  for (auto& lane : lanes_) archive.fixed("lane", lane);
  archive("pushed", pushed_)("completed", completed_)("numbered_before_reset", numbered_before_reset_);
  archive("state", state_)("activity", activity_);
}

void Activity::persist(Archive& archive) {
  archive("total", total_)("busy", busy_)("waiting", waiting_)("held_up", held_up_);
  archive("under_way", under_way_)("open", open_)("open_cycles", open_cycles_);
}

// ---- hazards

void Hazard::persist(Archive& archive) {
  archive("kind", kind, HazardKind::never_ran)("instruction", instruction)("other", other);
  archive("first_row", first_row)("rows", rows)("first_edge", first_edge)("last_edge", last_edge);
  archive("last_row", last_row)("memory", memory, Memory::accumulators)("depth", depth)("by_timing", by_timing);
  archive("margin", margin)("any_feed", any_feed)("lanes", lanes);
  archive("pushed", pushed)("other_pushed", other_pushed);
  if (archive.version() >= 2) archive("unseen", unseen);
}

void PushedInstruction::persist(Archive& archive) {
  archive("known", known)("instruction", instruction)("origin", origin)("issued", issued);
}

void InstructionLog::persist(Archive& archive) { archive("kept", kept_)("next", next_); }

void HazardReport::persist(Archive& archive) {
  archive.same("enabled", enabled_)("log", log_)("findings", findings_)("counts", counts_);
  archive("by_timing", by_timing_)("by_timing_count", by_timing_count_);
}

// ---- datapath

void RowMemory::persist(Archive& archive) { archive.sparse("bytes", bytes_.data(), bytes_.size()); }

void PackedWeights::persist(Archive& archive) {
  archive.fixed("words", words_).fixed("row_signs", row_signs_);
  if (!archive.loading()) return;
  const auto rows = [this](Signs sign) {
    return static_cast<unsigned>(std::count(row_signs_.begin(), row_signs_.end(), static_cast<std::uint8_t>(sign)));
  };
  signed_rows_ = rows(Signs::all_signed);
  unsigned_rows_ = rows(Signs::all_unsigned);
}

void Datapath::Load::persist(Archive& archive) {
  archive("edge", edge)("address", address)("length", length)("is_signed", is_signed)("number", number);
}

void Datapath::Multiply::persist(Archive& archive) {
  archive("edge", edge)("buffer", buffer)("accumulator", accumulator)("length", length)("is_signed", is_signed);
  archive("accumulate", accumulate)("number", number)("first_tile", first_tile)("latched", latched);
}

void Datapath::Activate::persist(Archive& archive) {
  archive("edge", edge)("buffer", buffer)("accumulator", accumulator)("length", length).below("code", code, 16);
  archive("is_signed", is_signed)("number", number);
}

template <typename Job>
void Datapath::Cursor<Job>::persist(Archive& archive) {
  archive.below("at", at, jobs->size() + 1)("vector", vector)("edge", edge);
}

void Datapath::ActivatedRow::persist(Archive& archive) { archive("row", row)("edge", edge)("number", number); }

void Datapath::LatchedWeights::persist(Archive& archive) {
  archive("number", number)("vector", vector)("bytes", bytes);
}

void Datapath::persist(Archive& archive) {
  archive.require(archive.version() == kStateVersion, "weights", "are those of another version of the tool");
  archive("weights", weights_)("buffer", buffer_)("accumulators", accumulators_);
  archive("next", next_)("passed_over", passed_over_)("changed", changed_);
  archive("loads", loads_)("multiplies", multiplies_)("activates", activates_);
  archive("preload", preload_)("read", read_)("tile", tile_)("addend", addend_)("sum", sum_);
  archive("activation", activation_);
  persist_tiles(archive);
  archive("chunk", chunk_)("chunks", chunks_)("watch", watch_)("latched", latched_)("next_tile", next_tile_);
  archive.fixed("staged", staged_)("staged_in", staged_in_)("staged_out", staged_out_);
  archive.fixed("addends", addends_)("addends_in", addends_in_)("addends_out", addends_out_);
  archive.fixed("activated_bytes", activated_bytes_).fixed("activated", activated_);
  archive("activated_in", activated_in_)("activated_out", activated_out_);
  archive("last_activate", last_activate_)("has_activate", has_activate_);
  if (archive.loading()) check_indices(archive);
}

/// A state from outside must not lead out of our arrays.
void Datapath::check_indices(const Archive& archive) const {
  for (const LatchedWeights& row : latched_)
    archive.require(row.bytes.size() == columns_, "latched", "has a row of another width");
  for (const ActivatedRow& row : activated_)
    archive.require(row.row < buffer_.depth(), "activated", "has a row behind the unified buffer");
}

// ---- device

void RuntimeCounter::persist(Archive& archive) {
  archive("running", running_)("start", start_)("last_synchronize", last_synchronize_)("value", value_);
  archive("sum", sum_)("count", count_);
}

void Core::Word::persist(Archive& archive) { archive("value", value)("edge", edge)("origin", origin); }

void Core::persist(Archive& archive) {
  archive("sequencer", sequencer_)("hazards", hazards_)("unit_order", unit_order_)("host_order", host_order_);
  archive("datapath", datapath_)("counter", counter_);
  archive("pulses", pulses_)("synchronizes_inside", synchronizes_inside_)("predicted", predicted_)("words", words_);
  archive("issued_by_kind", issued_by_kind_)("rows_by_unit", rows_by_unit_)("resets", resets_);
}

void AxiPort::Counts::persist(Archive& archive) { archive("reads", reads)("writes", writes); }

void AxiPort::persist(Archive& archive) {
  archive("free_from", free_from_)("blocked", blocked_)("counts", counts_)("back_pressure", back_pressure_);
}

void TinyTpuDevice::persist(Archive& archive) {
  archive("core", core_)("port", port_)("line", line_)("pulse", pulse_)("pulses", pulses_);
}

}  // namespace vp::tinytpu
