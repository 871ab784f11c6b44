#include "models/common/link_console.h"

#include <utility>

#include "models/common/wording.h"

namespace vp {

LinkConsole::LinkConsole(std::unique_ptr<HostLink> link, std::function<void()> arrived, const StopRequest& stop)
    : arrived_(std::move(arrived)), stop_(stop), link_(std::move(link)) {}

bool LinkConsole::take(std::uint8_t& byte) {
  if (taken_ == input_.size()) {
    input_ = link_->take();
    taken_ = 0;
  }
  if (input_.empty()) return false;
  byte = input_[taken_++];
  return true;
}

void LinkConsole::send(std::uint8_t byte) {
  while (!link_->send(byte))
    if (nobody_reads_ || !wait_for_reader()) {
      nobody_reads_ = true;
      ++lost_;
      return;
    }
  nobody_reads_ = false;
}

bool LinkConsole::wait_for_reader() {
  constexpr std::chrono::milliseconds kLook{20};
  constexpr unsigned kPatience = 50;
  for (unsigned look = 0; look < kPatience && !stop_.asked(); ++look)
    if (link_->wait_for_room(kLook)) return true;
  return false;
}

std::string LinkConsole::lost_output() const {
  if (lost_ == 0) return "";
  return counted(lost_, "byte") + " of output got lost, since no program read them at " + link_->address();
}

}  // namespace vp
