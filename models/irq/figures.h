#pragma once

#include <cstdint>

#include "models/common/arrival_figures.h"
#include "models/common/figures.h"

namespace vp {

struct ClintCoreFigures {
  std::uint64_t timer_interrupts = 0;
  std::uint64_t software_interrupts = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("timer_interrupts", timer_interrupts, "1", "rising edges of the timer interrupt");
    list.figure("software_interrupts", software_interrupts, "1", "rising edges of the software interrupt");
  }
};

/// All of a CLINT on a bus.
struct ClintFigures {
  ClintCoreFigures core;
  ArrivalFigures arrivals;

  template <typename List>
  void list(List& list) const {
    core.list(list);
    arrivals.list(list);
  }
};

struct PlicCoreFigures {
  struct Source {
    std::uint64_t requests = 0;
    std::uint64_t claims = 0;

    template <typename List>
    void list(List& list) const {
      list.figure("requests", requests, "1", "times the source became pending");
      list.figure("claims", claims, "1", "times software claimed it");
    }
  };
  NamedGroups<Source> sources;  ///< "source10"; those that have become pending

  template <typename List>
  void list(List& list) const {
    list.groups("", sources);
  }
};

/// All of a PLIC on a bus.
struct PlicFigures {
  PlicCoreFigures core;
  ArrivalFigures arrivals;

  template <typename List>
  void list(List& list) const {
    core.list(list);
    arrivals.list(list);
  }
};

}  // namespace vp
