#include <thread>

#include "models/common/error.h"
#include "platform/common/child_process.h"
#include "platform/files/whole_file.h"
#include "platform/sweep/folder_watch.h"
#include "platform/sweep/words.h"

namespace vp {

namespace {

constexpr std::chrono::milliseconds kPatienceWithParallel{6000};

/// GNU parallel reads one command line a point; it distributes them over this machine or the hosts of --sshlogin.
class ParallelEngine : public SweepEngine {
 public:
  explicit ParallelEngine(const ClusterOptions& options) : options_(options) {}

  bool run(const SweepJob&, const std::vector<const SweepPoint*>& points, const SweepFolder& folder,
           SweepMonitor& monitor) override {
    SignalGate gate;
    std::string lines;
    for (const SweepPoint* point : points)
      lines += shell_quoted({options_.worker, "sweep", "-o", folder.path(), "--worker", point->hash}) + '\0';
    ChildSetup setup;
    setup.input = folder.path() + "/parallel.txt";
    setup.output = folder.path() + "/parallel.log";
    write_file(setup.input, lines);
    // Asked to end, a worker takes a moment to end its run.
    setup.command = {"parallel", "--will-cite", "--null", "--halt", "never", "--termseq", "TERM,3000,KILL,25"};
    if (options_.jobs) setup.command.insert(setup.command.end(), {"--jobs", std::to_string(options_.jobs)});
    setup.command.insert(setup.command.end(), options_.words.begin(), options_.words.end());
    ChildProcess parallel(setup);
    FolderWatch watch(points, folder, monitor);
    for (;;) {
      const bool interrupted = gate.wait(options_.poll);
      if (interrupted) {
        end(parallel);
        return false;
      }
      const bool has_ended = parallel.poll().has_value();
      const bool done = watch.look();
      if (!has_ended) continue;
      if (!done) watch.abandon("GNU parallel ended without a result (its log is " + setup.output + ")");
      return true;
    }
  }

 private:
  /// The first request makes GNU parallel start nothing more, the second makes it end what runs.
  static void end(ChildProcess& parallel) {
    parallel.send(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    parallel.stop(kPatienceWithParallel);
  }

  ClusterOptions options_;
};

}  // namespace

std::unique_ptr<SweepEngine> make_parallel_engine(const ClusterOptions& options) {
  require_program("parallel", "parallel", "parallel");
  return std::make_unique<ParallelEngine>(options);
}

}  // namespace vp
