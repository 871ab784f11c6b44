#include <iterator>
#include <list>
#include <utility>

#include "models/common/error.h"
#include "platform/sweep/engine.h"
#include "platform/sweep/point_run.h"

namespace vp {

namespace {

constexpr std::chrono::milliseconds kTick{200};

/// One thread and one event loop: it sleeps until a child ends or the user interrupts. The next child runs before the
/// results of the last one are looked at.
class LocalEngine : public SweepEngine {
 public:
  LocalEngine(unsigned jobs, OwnProgram own) : jobs_(jobs), own_(std::move(own)) {}

  bool run(const SweepJob& job, const std::vector<const SweepPoint*>& points, const SweepFolder& folder,
           SweepMonitor& monitor) override {
    SignalGate gate;
    std::list<PointRun> active, ended;
    std::size_t next = 0;
    for (;;) {
      while (next < points.size() && active.size() < jobs_) active.emplace_back(job, *points[next++], folder, own_);
      for (PointRun& point : ended) {
        point.conclude();
        monitor.ended(point.point(), point.failure(), point.result());
      }
      ended.clear();
      if (active.empty()) return true;
      if (gate.wait(kTick)) {
        for (PointRun& point : active) point.stop();
        return false;
      }
      for (auto point = active.begin(); point != active.end();) {
        const auto next_point = std::next(point);
        if (point->ended()) ended.splice(ended.end(), active, point);
        point = next_point;
      }
      monitor.tick();
    }
  }

 private:
  unsigned jobs_;
  OwnProgram own_;
};

}  // namespace

std::unique_ptr<SweepEngine> make_local_engine(unsigned jobs, OwnProgram own) {
  return std::make_unique<LocalEngine>(jobs, std::move(own));
}

}  // namespace vp
