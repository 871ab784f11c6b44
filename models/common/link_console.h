#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/common/host_end.h"
#include "models/common/host_link.h"
#include "models/common/stop_request.h"

namespace vp {

/// A console at a pseudo-terminal or TCP port of the host. A guest that prints faster than the program at the other end
/// reads waits for it in host time, which simulated time knows nothing of; after a second in which it has read nothing,
/// output is lost until it reads again.
class LinkConsole : public HostEnd {
 public:
  /// arrived: called from another thread when there is input. stop: ends the waiting.
  LinkConsole(std::unique_ptr<HostLink> link, std::function<void()> arrived, const StopRequest& stop);

  void begin() override { link_->start(arrived_); }
  std::string address() const override { return link_->address(); }
  bool take(std::uint8_t& byte) override;
  bool may_receive_more() const override { return true; }
  void drain() override { link_->drain(); }
  std::string lost_output() const override;

 private:
  void send(std::uint8_t byte) override;
  bool wait_for_reader();

  std::function<void()> arrived_;
  const StopRequest& stop_;
  std::vector<std::uint8_t> input_;
  std::size_t taken_ = 0;  // of input_
  bool nobody_reads_ = false;
  std::uint64_t lost_ = 0;
  std::unique_ptr<HostLink> link_;  // last: its thread ends before the rest goes
};

}  // namespace vp
