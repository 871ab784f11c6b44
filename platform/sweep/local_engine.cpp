#include <algorithm>
#include <list>

#include "models/common/error.h"
#include "platform/sweep/engine.h"
#include "platform/sweep/point_run.h"

namespace vp {

namespace {

constexpr std::chrono::milliseconds kTick{200};

/// One thread and one event loop: it sleeps until a child ends or the user interrupts.
class LocalEngine : public SweepEngine {
 public:
  explicit LocalEngine(unsigned jobs) : jobs_(jobs) {}

  bool run(const SweepJob& job, const std::vector<const SweepPoint*>& points, const SweepFolder& folder,
           SweepMonitor& monitor) override {
    SignalGate gate;
    std::list<PointRun> active;
    std::size_t next = 0;
    while (next < points.size() || !active.empty()) {
      while (next < points.size() && active.size() < jobs_) active.emplace_back(job, *points[next++], folder);
      if (gate.wait(kTick)) {
        for (PointRun& point : active) point.stop();
        return false;
      }
      active.remove_if([&](PointRun& point) {
        if (!point.poll()) return false;
        monitor.ended(point.point(), point.failure());
        return true;
      });
      monitor.tick();
    }
    return true;
  }

 private:
  unsigned jobs_;
};

}  // namespace

std::unique_ptr<SweepEngine> make_local_engine(unsigned jobs) { return std::make_unique<LocalEngine>(jobs); }

}  // namespace vp
