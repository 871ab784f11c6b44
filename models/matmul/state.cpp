#include "models/common/archive.h"
#include "models/matmul/serial_device.h"

// What the classes of the device save. Pulses and writes that live for one clock are not under way between calls.

namespace vp::matmul {

// ---- units

void BlockMemory::persist(Archive& archive) {
  archive.require(archive.version() == kStateVersion, "words", "are those of another version of the tool");
  archive("words", words_);
}

void ThreadOutputs::persist(Archive& archive) {
  archive("load_request", load_request)("comp_request", comp_request)("write_request", write_request);
  archive("byte_valid", byte_valid)("byte", byte)("a", a)("b", b)("c", c)("d", d);
}

void Thread::persist(Archive& archive) {
  archive.same("block_words", block_words_).fixed("instructions", instructions_);
  archive("state", state_, State::comp_release)("pc", pc_)("start_latched", start_latched_)("outputs", out_);
  archive("header", header_)("write_address", write_address_)("sent", sent_);
}

void ArrayController::Path::persist(Archive& archive) {
  archive("owner", owner)("start", start);
  archive.require(owner >= -1 && owner < static_cast<int>(kThreads), "owner", "is no thread");
}

void ArrayController::persist(Archive& archive) {
  archive.same("mesh", mesh_).same("tile", tile_).same("late_load_hang", late_load_hang_);
  archive("load", load_)("comp", comp_)("resting_load_tick", resting_load_tick_);
  archive("a_address", a_address_)("b_address", b_address_)("c_address", c_address_)("d_address", d_address_);
  for (auto& bank : bank_) archive.fixed("bank", bank);
  archive("bank_valid", bank_valid_).fixed("a", a_).fixed("d", d_);
}

void SentFrame::persist(Archive& archive) { archive("start_cycle", start_cycle)("byte", byte); }

void WritePath::persist(Archive& archive) {
  archive.same("frame_clocks", frame_clocks_).same("fifo_byte_loss", fifo_byte_loss_);
  archive.same("cts_byte_loss", cts_byte_loss_).fixed("fifo", fifo_).below("head", head_, fifo_.size());
  archive.below("count", count_, fifo_.size() + 1)("owner", owner_)("busy_until", busy_until_);
  archive.require(owner_ >= -1 && owner_ < static_cast<int>(kThreads), "owner", "is no thread");
}

void LineLevels::Change::persist(Archive& archive) { archive("from", from)("level", level); }

void LineLevels::persist(Archive& archive) {
  archive("changes", changes_)("before", before_)("forgotten_until", forgotten_until_);
}

void Receiver::persist(Archive& archive) {
  archive.same("symbol", symbol_)("line", line_)("listening_from", listening_from_)("start", start_);
}

void Loader::Action::persist(Archive& archive) {
  archive("command", command, Command::update)("update", update)("address", address)("word", word);
}

void Loader::persist(Archive& archive) {
  archive("state", state_, State::data)("command", command_, Command::update)("received", received_);
  archive("address", address_)("word", word_).fixed("block", block_);
}

// ---- figures

void ErrataEvent::persist(Archive& archive) {
  archive("kind", kind, Kind::cts_byte_loss)("first_cycle", first_cycle)("last_cycle", last_cycle)("bytes", bytes);
  archive("thread", thread)("pc", pc)("origin", origin);
}

void ErrataLog::persist(Archive& archive) {
  archive("counts", counts_)("events", events_)("unlisted", unlisted_)("latest", latest_);
  for (const std::size_t latest : latest_) archive.require(latest <= events_.size(), "latest", "is not in the list");
}

void CoreCounters::PerThread::persist(Archive& archive) {
  archive("instructions", instructions)("clocks", clocks)("runs", runs);
}

void CoreCounters::persist(Archive& archive) {
  archive("threads", threads)("bytes_received", bytes_received)("bytes_sent", bytes_sent);
  archive("block_stores", block_stores)("instruction_stores", instruction_stores);
  archive("dropped_instruction_stores", dropped_instruction_stores)("updates", updates);
  archive("ignored_bytes", ignored_bytes);
}

// ---- device

void Core::Record::persist(Archive& archive) {
  archive("fetched", fetched)("opcode", opcode, Opcode::comp)("disabled", disabled)("pc", pc)("serial", serial);
}

void StoredInstruction::persist(Archive& archive) { archive("cycle", cycle)("origin", origin); }

void Core::persist(Archive& archive) {
  archive("cycle", cycle_)("memory", memory_);
  for (Thread& thread : threads_) archive("thread", thread);
  archive("array", array_)("write_path", write_path_)("receiver", receiver_)("loader", loader_);
  archive("enabled", enabled_)("start", start_)("cts", cts_)("store", store_)("store_thread", store_thread_);
  archive.require(store_thread_ >= -1 && store_thread_ < static_cast<int>(kThreads), "store_thread", "is no thread");
  archive("records", records_)("serial", serial_)("lossy_serial", lossy_serial_)("cts_spell", cts_spell_);
  archive("lossy_cts_spell", lossy_cts_spell_)("errata", errata_)("counters", counters_)("frames", frames_);
  archive("store_by", store_by_)("origins", origins_)("stored", stored_);
}

void SerialDevice::CtsChange::persist(Archive& archive) { archive("edge", edge)("level", level); }

void SerialDevice::persist(Archive& archive) {
  archive("core", core_)("cts_changes", cts_changes_)("safe_from", safe_from_)("rts", rts_);
  archive("late_arrivals", late_arrivals_);
}

}  // namespace vp::matmul
