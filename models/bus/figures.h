#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/common/figures.h"
#include "models/common/latency_figures.h"
#include "models/common/time_account.h"

namespace vp {

/// Traffic between one initiator and one target.
struct BusTrafficFigures {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("transactions", reads + writes, "1", "reads and writes");
    list.figure("bytes", read_bytes + write_bytes, "bytes", "moved both ways");
    list.figure("reads", reads, "1", "read transactions");
    list.figure("writes", writes, "1", "write transactions");
    list.figure("read_bytes", read_bytes, "bytes", "read");
    list.figure("write_bytes", write_bytes, "bytes", "written");
  }
};

/// Traffic through one port in timed mode.
struct BusPortFigures {
  struct Direction {
    std::uint64_t transactions = 0;
    std::uint64_t bytes = 0;
    LatencySummary latency;

    template <typename List>
    void list(List& list) const {
      list.figure("transactions", transactions, "1", "");
      list.figure("bytes", bytes, "bytes", "");
      latency.list(list);
    }
  };
  double bandwidth = 0;          ///< GB/s
  double bandwidth_of_peak = 0;  ///< percent
  Direction read;
  Direction write;

  std::uint64_t bytes() const { return read.bytes + write.bytes; }

  template <typename List>
  void list(List& list) const {
    list.figure("transactions", read.transactions + write.transactions, "1", "reads and writes");
    list.figure("bytes", bytes(), "bytes", "moved both ways");
    list.figure("bandwidth", bandwidth, "GB/s", "bytes / time in timed mode, 1 GB = 10^9 bytes");
    list.figure("bandwidth_of_peak", bandwidth_of_peak, "%", "of bus width / bus clock period");
    list.group("read", "reads", read);
    list.group("write", "writes", write);
  }
};

/// Where the time of an initiator's accesses went, in nanoseconds.
struct AccessTimeFigures {
  double hop = 0;
  double waiting = 0;
  double outstanding = 0;
  double overtaken = 0;
  double target = 0;
  double beats = 0;
  double overlap = 0;
  double idle = 0;
  double total = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("hop", hop, "ns", "from the initiator to the link");
    list.figure("waiting", waiting, "ns", "for links that were in use");
    list.figure("outstanding", outstanding, "ns", "held by the limit of outstanding accesses");
    list.figure("overtaken", overtaken, "ns", "came later than one that had run ahead of the kernel: the shift");
    list.figure("target", target, "ns", "in the targets");
    list.figure("beats", beats, "ns", "beats of the bus beyond those of the target");
    list.figure("overlap", overlap, "ns", "of all these, side by side with another access");
    list.figure("idle", idle, "ns", "no access under way (host pointers included)");
    list.figure("total", total, "ns", "all parts less the overlap, and idle");
  }
};

/// What an initiator waited for at one link, in nanoseconds.
struct LinkWaitingFigures {
  std::vector<std::pair<std::string, double>> behind;  ///< by the initiator that held the link
  double outstanding = 0;
  double overtaken = 0;

  template <typename List>
  void list(List& list) const {
    for (const auto& [holder, time] : behind) list.figure("behind_" + holder, time, "ns", "it held the link");
    list.figure("outstanding", outstanding, "ns", "limit of outstanding accesses");
    list.figure("overtaken", overtaken, "ns", "came later than one that had run ahead of the kernel");
  }
};

/// An initiator's accesses through the bus in timed mode.
struct TimedInitiatorFigures {
  struct Waiting {
    NamedGroups<LinkWaitingFigures> links;  ///< at which it has waited

    template <typename List>
    void list(List& list) const {
      list.groups("", links);
    }
  };
  BusPortFigures port;
  AccessTimeFigures time;
  Waiting waiting;

  template <typename List>
  void list(List& list) const {
    port.list(list);
    list.group("time", "all of timed mode: the parts add up", time);
    list.group("waiting", "for the links, by cause", waiting);
    list.figure("owed", std::uint64_t{0}, "ps",
                "of `overtaken`, what it has not paid yet: nothing, it is paid at once");
  }
};

struct InitiatorFigures {
  NamedGroups<BusTrafficFigures> targets;  ///< with which there was traffic, host pointers included
  std::optional<TimedInitiatorFigures> timed;

  template <typename List>
  void list(List& list) const {
    list.groups("", targets);
    list.group("timed", "its accesses through the bus in timed mode", timed);
  }
};

/// What a link did in timed mode, in nanoseconds.
struct LinkTimeFigures {
  double busy = 0;
  double waiting = 0;
  double idle = 0;
  double total = 0;
  double busy_share = 0;  ///< percent

  template <typename List>
  void list(List& list) const {
    list.figure(time_account::kBusy, busy, "ns", "beats");
    list.figure(time_account::kWaiting, waiting, "ns", "stood still while the outstanding limit held an access");
    list.figure(time_account::kIdle, idle, "ns", "nothing to do");
    list.figure(time_account::kTotal, total, "ns", "");
    list.figure("busy_share", busy_share, "%", "busy / total");
  }
};

/// Accesses that came later than one that had run ahead of them; times in nanoseconds.
struct LateArrivalFigures {
  std::uint64_t number = 0;
  double worst = 0;
  double sum = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("number", number, "1", "of such accesses");
    list.figure("worst", worst, "ns", "the most by which one was shifted");
    list.figure("sum", sum, "ns", "by which all were shifted");
  }
};

struct LinkReportFigures {
  BusPortFigures port;
  std::optional<LateArrivalFigures> late_arrivals;  ///< if there were any
  LinkTimeFigures time;

  template <typename List>
  void list(List& list) const {
    port.list(list);
    list.group("late_arrivals", "accesses that came later than one that had run ahead of them", late_arrivals);
    list.group("time", "all of timed mode: busy + waiting + idle = total", time);
  }
};

/// All of a bus.
struct BusFigures {
  struct Links {
    NamedGroups<LinkReportFigures> used;  ///< by the name of the target, those that moved beats

    template <typename List>
    void list(List& list) const {
      list.groups("", used);
    }
  };
  std::uint64_t bad_accesses = 0;
  std::uint64_t synchronisations = 0;
  std::optional<std::uint64_t> ordered;  ///< if it ever was timed
  NamedGroups<InitiatorFigures> initiators;
  std::optional<Links> links;  ///< if it ever was timed

  template <typename List>
  void list(List& list) const {
    list.figure("bad_accesses", bad_accesses, "1", "accesses that found no target or were refused");
    list.figure("synchronisations", synchronisations, "1", "accesses that waited for events due before they arrived");
    list.figure("ordered", ordered, "1", "accesses in exact order, which waited for their turn in the kernel");
    list.groups("accesses of this initiator by target, host pointers included", initiators);
    list.group("links", "links to the targets in timed mode", links);
  }
};

}  // namespace vp
