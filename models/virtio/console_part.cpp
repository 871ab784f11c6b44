#include <memory>
#include <optional>

#include "models/common/host_end_stream.h"
#include "models/common/host_wake.h"
#include "models/common/stop_request.h"
#include "models/virtio/part.h"
#include "models/virtio/terminal.h"
#include "models/virtio/virtio_part.h"

namespace vp {
namespace {

/// The console with its end on the host, whose input comes by the machine's one entrance.
class VirtioConsolePart : public VirtioPart<virtio::Terminal, virtio::TerminalConfig> {
 public:
  VirtioConsolePart(const char* noun, const virtio::TerminalConfig& config, Site& site)
      : VirtioPart(noun, config, site),
        bell_(site.host_wake(), [this] { virtio().core().device_ready(virtio::Terminal::kReceive, kernel_time()); }),
        end_(config.console.open([this] { bell_.ring(); }, *site.roles().find<StopRequest>())) {
    if (!end_) return;
    behind().connect(*end_);
    virtio().on_start([this] { end_->begin(); });
    stream_.emplace(*end_, [this] { return virtio().core().works(virtio::Terminal::kReceive); });
    site.offer<HostStream>(*stream_);
  }

  std::vector<Finding> findings(const OriginText& origin) override {
    std::vector<Finding> all = VirtioPart::findings(origin);
    if (const std::string lost = end_ ? end_->lost_output() : ""; !lost.empty()) all.push_back({lost});
    return all;
  }

 private:
  HostWake::Bell bell_;
  std::unique_ptr<HostEnd> end_;  // after the bell that its thread rings
  std::optional<HostEndStream> stream_;
};

class VirtioConsoleSettings : public VirtioSettings<virtio::TerminalConfig, VirtioConsolePart> {
 public:
  explicit VirtioConsoleSettings(std::string name) : VirtioSettings(std::move(name), "console") {}
};

}  // namespace

const PartKind& virtio_console_kind() {
  static const PartKind kind{"virtio-console", "console: virtio over MMIO, a file, terminal or port of the host",
                             make_settings<VirtioConsoleSettings>};
  return kind;
}

}  // namespace vp
