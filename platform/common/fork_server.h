#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "platform/common/child_process.h"

namespace vp {

/// Makes processes without the start-up of a program: a copy of this process, made while it is small, of which it makes
/// copies whenever one is asked for. They are children of this process, and know nothing of what it has done since.
///
/// A copy of the process as it is by then would do, but each would copy page by page what it writes to between the many
/// things that this process has come to hold, and so would this process behind each copy.
class ForkServer {
 public:
  /// What a copy does with the words of its command, the program's name first. Returns the exit code, and has then
  /// written what it holds back; must not throw.
  using Work = std::function<int(const std::vector<std::string>& words)>;

  /// Only for a process with one thread, which has blocked no signals. Without success nothing can be started.
  explicit ForkServer(const Work& work);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  /// A child of this process that works on setup.command, connected and placed as `setup` says. pid < 0: the system
  /// does not do that, and the program is to be started as usual.
  StartedChild start(const ChildSetup& setup);

  /// This process is such a copy: it ends when its work does, and need not take apart what the system takes at once.
  static bool in_copy();

 private:
  int socket_ = -1;
  pid_t pid_ = -1;
};

}  // namespace vp
