#include "models/tensil/probe.h"

#include "models/common/archive.h"
#include "models/common/wording.h"

namespace vp::tensil {

void Probe::began(const DramMove& move, Picoseconds now) {
  last_was_probe_ = !move.reads && move.port == 0 && move.count == 1 && move.first == vector_;
  program_open_ = !last_was_probe_;
  if (last_was_probe_) {
    wrote_since_ = false;
    std::vector<std::uint8_t> there(move.bytes.size());
    if (peek_ && peek_(move.address(0), there.data(), there.size()) && there == move.bytes) unarmed_.add(now);
  } else if (!move.reads) {
    wrote_since_ = true;
    wrote_at_ = now;
  }
}

void Probe::packet(Picoseconds begun, Picoseconds ended) {
  if (last_was_probe_ && begun < ended) overtaken_.add(begun);
}

void Probe::add_findings(std::vector<vp::Finding>& all) const {
  const std::string why = " The DMA engine's interrupt tells only that it was accepted.";
  if (unarmed_.number != 0)
    all.push_back({counted(unarmed_.number, "program") + " wrote the probe to vector " + std::to_string(vector_) +
                       " of DRAM0, which held the same before, so that nobody can see the end there." + why,
                   unarmed_.time});
  if (overtaken_.number != 0)
    all.push_back({counted(overtaken_.number, "stream") +
                       " began before the program in front of it had written its probe to DRAM0." + why,
                   overtaken_.time});
  if (wrote_since_)
    all.push_back({"The last instructions of the stream are no probe in DRAM0 (vector " + std::to_string(vector_) +
                       "), so that nobody can see when what they write is there." + why,
                   wrote_at_});
}

void Probe::Mistake::persist(Archive& archive) { archive("number", number)("time", time); }

void Probe::persist(Archive& archive) {
  archive("last_was_probe", last_was_probe_)("wrote_since", wrote_since_)("wrote_at", wrote_at_);
  archive("unarmed", unarmed_)("overtaken", overtaken_);
  if (archive.version() >= 2) archive("program_open", program_open_);
}

}  // namespace vp::tensil
