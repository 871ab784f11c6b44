#include "models/common/archive.h"
#include "models/cpu/hart.h"

namespace vp::cpu {

template <typename Word>
void State<Word>::persist(Archive& archive) {
  archive("x", x)("pc", pc)("mode", mode, Mode::kMachine);
  archive("mstatus", mstatus)("mie", mie)("mip", mip)("mtvec", mtvec)("mscratch", mscratch)("mepc", mepc);
  archive("mcause", mcause)("mtval", mtval)("mcounteren", mcounteren)("mcountinhibit", mcountinhibit);
  archive("menvcfg", menvcfg)("pmpcfg", pmpcfg)("pmpaddr", pmpaddr);
  archive("mcycle_offset", mcycle_offset)("mcycle_frozen", mcycle_frozen);
  archive("minstret_offset", minstret_offset)("minstret_frozen", minstret_frozen);
  archive("reserved", reserved)("reservation", reservation);
  archive("reserved_size", reserved_size)("retired", retired)("time", time);
}

void TrapRecord::persist(Archive& archive) {
  archive("interrupt", interrupt).below("cause", cause, 16)("pc", pc)("value", value)("handler", handler);
  archive("mode", mode, Mode::kMachine)("time", time)("pmp", pmp)("misaligned", misaligned);
}

void DirectTraffic::persist(Archive& archive) {
  archive("first", first)("last", last)("reads", reads)("read_bytes", read_bytes);
  archive("writes", writes)("written_bytes", written_bytes);
}

void CpuTimes::persist(Archive& archive) {
  archive("idle", idle)("fetch_miss", fetch_miss)("load_miss", load_miss)("store_miss", store_miss);
  archive("write_back", write_back)("cache_hit", cache_hit)("memory", memory)("bus", bus);
}

template <typename Word>
void Hart<Word>::Region::persist(Archive& archive) {
  archive("traffic", traffic);
  if (!archive.loading()) return;
  // Asked for again with the first access, which finds this entry by its addresses.
  active = false;
  direct = {};
  direct.first = traffic.first;
  direct.last = traffic.last;
}

template <typename Word>
void Hart<Word>::persist(Archive& archive) {
  if (archive.loading())
    drop_derived();
  else
    fold_traffic();
  unsigned xlen = kXlen;
  archive.same("xlen", xlen)("state", s_)("mtvec_written", mtvec_written_);
  archive("fidelity", fidelity_, Fidelity::timed)("wanted_fidelity", wanted_fidelity_, Fidelity::timed);
  archive("icache", icache_).same("has_dcache", dcache_.has_value());
  if (dcache_) archive("dcache", *dcache_);
  archive("last_trap", last_trap_)("trap_before", trap_before_)("repeated_traps", repeated_traps_);
  archive("regions", regions_)("write_buffer_free", write_buffer_free_)("write_posted", write_posted_)(
      "fetched", fetched_)("times", times_);
  archive("trapped", trapped_)("missed_fetches", missed_fetches_)("timed_instructions", timed_instructions_);
  archive("timed_since", timed_since_)("exceptions_taken", exceptions_taken_)("interrupts_taken", interrupts_taken_);
  if (!archive.loading()) return;
  folded_at_ = s_.retired;
  use_tlb_of_mode();
  execute(nullptr, nullptr, 0);  // hands out its labels for the present fidelity
}

/// Forgets what is known about the world outside: a state is about to be loaded.
template <typename Word>
void Hart<Word>::drop_derived() {
  flush_tlbs();
  flush_blocks_ = true;
  refused_.fill(kNever);
  uncached_.fill(kNever);
  contents_.clear();
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
