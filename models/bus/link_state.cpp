#include "models/bus/bus_statistics.h"
#include "models/bus/link.h"
#include "models/bus/reservations.h"
#include "models/common/archive.h"

// What links, reservations and figures of the bus save.

namespace vp {

void LinkWaiting::persist(Archive& archive) { archive.fixed("behind", behind)("held", held)("overtaken", overtaken); }

void Link::Times::persist(Archive& archive) {
  archive("busy", busy)("waiting", waiting)("idle", idle)("total", total)("reserved", reserved);
}

void Link::LateArrivals::persist(Archive& archive) { archive("number", number)("worst", worst)("sum", sum); }

void Link::Beats::persist(Archive& archive) { archive("initiator", initiator)("start", start)("end", end); }

void Link::UnderWay::persist(Archive& archive) { archive("ticket", ticket)("completion", completion); }

void Link::persist(Archive& archive) {
  std::vector<Beats> history = history_.values();
  archive("history", history).fixed("waiting", waiting_)("under_way", under_way_)("next_ticket", next_ticket_);
  for (const Beats& beats : history) archive.require(beats.initiator < waiting_.size(), "history", "has a stranger");
  if (archive.loading()) {
    history_.clear();
    for (const Beats& beats : history) history_.push_back(beats);
  }
  archive("last_served", last_served_)("free", free_)("last_start", last_start_)("ahead", ahead_);
  archive("late", late_)("began", began_)("counting", counting_)("times", times_);
}

void Reservations::Reservation::persist(Archive& archive) {
  archive("valid", valid)("first", first)("last", last)("address", address)("size", size);
}

void Reservations::persist(Archive& archive) { archive.fixed("held", held_)("count", count_); }

void BusTraffic::persist(Archive& archive) {
  archive("reads", reads)("writes", writes)("read_bytes", read_bytes)("write_bytes", write_bytes);
}

void PortFigures::persist(Archive& archive) { archive("traffic", traffic)("latency", latency); }

void AccessParts::persist(Archive& archive) {
  archive("hop", hop)("waiting", waiting)("held", held)("overtaken", overtaken)("target", target)("beats", beats);
}

void TimeUse::Span::persist(Archive& archive) { archive("from", from)("to", to); }

void TimeUse::persist(Archive& archive) {
  archive("recent", recent_)("folded_until", folded_until_)("began", began_)("until", until_)("used", used_);
  archive("total", total_)("running", running_);
}

}  // namespace vp
