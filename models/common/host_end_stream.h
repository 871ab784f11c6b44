#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "models/common/host_end.h"
#include "models/common/machine_roles.h"

namespace vp {

/// A part's console as the platform sees it.
class HostEndStream : public HostStream {
 public:
  /// raises_interrupt: see HostStream. The end must live as long.
  HostEndStream(HostEnd& end, std::function<bool()> raises_interrupt)
      : end_(end), raises_interrupt_(std::move(raises_interrupt)) {}

  std::string address() const override { return end_.address(); }
  bool may_bring_more() const override { return end_.may_receive_more(); }
  bool raises_interrupt() const override { return raises_interrupt_(); }
  Use use() const override { return end_.use(); }
  void on_asked_in_vain(std::function<void()> callback) override { end_.on_asked_in_vain(std::move(callback)); }
  void on_sent(std::function<void(std::uint8_t)> callback) override { end_.on_sent(std::move(callback)); }
  void type_end() override { end_.type_end(); }
  void flush() override { end_.flush(); }
  void drain() override { end_.drain(); }

 private:
  HostEnd& end_;
  const std::function<bool()> raises_interrupt_;
};

}  // namespace vp
