#include "models/cpu/state.h"

#include "models/common/archive.h"
#include "models/cpu/core.h"
#include "models/cpu/pmp.h"

namespace vp::cpu {

template <typename Word>
void State<Word>::persist(Archive& archive) {
  archive("x", x)("pc", pc)("mode", mode, Mode::kMachine);
  archive("f", f).below("fflags", fflags, 32).below("frm", frm, 8);
  archive("mstatus", mstatus)("mie", mie)("mip_lines", mip_lines)("mip_written", mip_written)("mtvec", mtvec)(
      "mscratch", mscratch)("mepc", mepc);
  archive("mcause", mcause)("mtval", mtval)("mcounteren", mcounteren)("mcountinhibit", mcountinhibit);
  archive("menvcfg", menvcfg)("pmpcfg", pmpcfg)("pmpaddr", pmpaddr);
  archive("medeleg", medeleg)("mideleg", mideleg)("stvec", stvec)("sscratch", sscratch)("sepc", sepc);
  archive("scause", scause)("stval", stval)("satp", satp)("senvcfg", senvcfg)("scounteren", scounteren);
  archive("mcycle_offset", mcycle_offset)("mcycle_frozen", mcycle_frozen);
  archive("minstret_offset", minstret_offset)("minstret_frozen", minstret_frozen);
  archive("reserved", reserved)("reservation", reservation);
  archive("reserved_size", reserved_size)("retired", retired)("time", time);
  if (archive.version() >= 2) archive("stimecmp", stimecmp);
  if (!archive.loading()) return;
  gather_pending();
  find_pmp_ranges(*this);
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

template struct State<std::uint32_t>;
template struct State<std::uint64_t>;

}  // namespace vp::cpu
