// What a TCU saves.
#include "models/common/archive.h"
#include "models/tensil/core.h"

namespace vp::tensil {

void Instruction::persist(Archive& archive) {
  archive("operation", operation, Operation::reserved)("opcode", opcode)("flags", flags)("thread", thread);
  archive("address0", address0)("stride0", stride0)("address1", address1)("stride1", stride1)("size", size);
  archive("simd_operation", simd_operation)("left", left)("right", right)("destination", destination);
  archive("config_register", config_register)("config_value", config_value);
}

void DramMove::persist(Archive& archive) {
  archive("instruction", instruction)("program_counter", program_counter)("pushed", pushed);
  archive("activity", activity, Activity::skipped).below("port", port, 2);
  archive("reads", reads)("count", count)("vector_bytes", vector_bytes)("first", first)("step", step)("mask", mask);
  archive("offset", offset)("wraps", wraps)("cycle", cycle)("begin", begin)("asked", asked)("bytes", bytes);
}

void VectorMemory::persist(Archive& archive) {
  archive.sparse("scalars", reinterpret_cast<std::uint8_t*>(scalars_.get()),
                 std::uint64_t{depth_} * stride_ * sizeof(std::int32_t));
  archive.fixed("written", written_);
}

void SystolicArray::persist(Archive& archive) {
  archive.fixed("rows", storage_).below("head", head_, inputs_ + 1);
  if (archive.loading()) counted_ = false;
}

void SimdUnit::persist(Archive& archive) { archive.fixed("registers", registers_).fixed("tables", table_entries_); }

void Finding::persist(Archive& archive) {
  archive("kind", kind, FindingKind::unordered_threads)("program_counter", program_counter)("text", text);
}

void Findings::persist(Archive& archive) { archive("counts", counts_)("kept", kept_); }

void ThreadOrder::persist(Archive& archive) {
  archive("thread", thread_)("number", number_).fixed("known", known_).fixed("reads", reads_).fixed("writes", writes_);
}

void CoreFigures::persist(Archive& archive) {
  archive("instructions", instructions)("multiply_accumulates", multiply_accumulates);
  archive("useful_multiply_accumulates", useful_multiply_accumulates)("dram_bytes_read", dram_bytes_read);
  archive("dram_bytes_written", dram_bytes_written)("tracepoint_hits", tracepoint_hits);
}

void Stop::persist(Archive& archive) {
  archive("program_counter", program_counter)("instruction", instruction)("reason", reason);
}

void Core::persist(Archive& archive) {
  archive("local", local_)("accumulators", accumulators_)("array", array_)("simd", simd_)("timing", timing_);
  archive("findings", findings_)("figures", figures_)("program_counter", program_counter_)("config", config_);
  archive("pending", pending_)("stopped", stopped_);
  if (order_) archive("order", *order_);
  archive("newest_row", newest_access_.row)("newest_accumulated", newest_access_.accumulated);
}

}  // namespace vp::tensil
