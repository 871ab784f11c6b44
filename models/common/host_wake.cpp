#include "models/common/host_wake.h"

#include <algorithm>
#include <systemc>
#include <utility>

namespace vp {

/// The kernel's one entrance for other threads. Names of ours in the kernel have a dash, which no part's has.
class HostWake::Channel : public sc_core::sc_prim_channel {
 public:
  explicit Channel(HostWake& wake) : sc_prim_channel("host-wake"), arrived_("host-wake-arrived") {
    sc_core::sc_spawn_options method;
    method.spawn_method();
    method.dont_initialize();
    method.set_sensitivity(&arrived_);
    sc_core::sc_spawn([&wake] { wake.deliver(); }, "host-wake-deliver", &method);
  }
  void request() { async_request_update(); }

 private:
  void update() override { arrived_.notify(sc_core::SC_ZERO_TIME); }

  sc_core::sc_event arrived_;
};

HostWake::HostWake() : channel_(std::make_unique<Channel>(*this)) {}

HostWake::~HostWake() = default;

bool HostWake::wait(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return rung_.wait_for(lock, limit, [this] { return news_; });
}

void HostWake::ring() {
  {
    const std::lock_guard lock(mutex_);
    news_ = true;
  }
  rung_.notify_all();
  channel_->request();
}

void HostWake::deliver() {
  {
    const std::lock_guard lock(mutex_);
    news_ = false;
  }
  for (Bell* const bell : bells_)
    if (bell->rung_.exchange(false)) bell->called_();
}

HostWake::Bell::Bell(HostWake& wake, std::function<void()> called) : wake_(wake), called_(std::move(called)) {
  wake_.bells_.push_back(this);
}

HostWake::Bell::~Bell() { wake_.bells_.erase(std::find(wake_.bells_.begin(), wake_.bells_.end(), this)); }

void HostWake::Bell::ring() {
  if (!rung_.exchange(true)) wake_.ring();
}

}  // namespace vp
