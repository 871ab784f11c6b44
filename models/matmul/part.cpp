#include "models/matmul/part.h"

#include "models/common/device_tree.h"
#include "models/common/error.h"
#include "models/common/host_link.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/matmul/host_port.h"
#include "models/matmul/matmul.h"
#include "models/matmul/thread_log.h"
#include "models/matmul/work.h"

namespace vp {

namespace {

/// The device, and where its line leads to the host, the port there.
class MatmulPart : public Part, public HostStream {
 public:
  MatmulPart(const matmul::MatmulConfig& config, SerialTarget target, Site& site)
      : Part(site.name()),
        target_(std::move(target)),
        config_(config),
        period_(config.clock_period),
        device_(std::make_unique<matmul::Matmul>(site.name().c_str(), config, site.horizon())),
        log_(device_->core(), config.clock_period) {
    if (!target_.on_host()) return;
    open_port(config, site);
    site.offer<HostStream>(*this);
  }

  void connect(Site& site) override {
    if (target_.kind != SerialTarget::Kind::part) return;
    SerialPort* const port = site.roles().find<SerialPort>(target_.part);
    if (!port) return;  // left out: the line is unplugged
    port->plug_in(device_->line());
    device_->connect(port->line_end());
    device_->line().set_clear_to_send(false, 0);  // RTS of a UART is low until software raises it
  }
  void reset() override { device_->reset(); }
  void report(Statistics& root) const override { device_->report(root.group(name(), "MatMul device")); }
  void bounds(Bounds& bounds) const override { config_.add_cost(bounds.cost); }
  /// A port on the host is no state.
  void persist(Archive& archive) override { device_->persist(archive); }
  InstructionSource* instructions() override { return &log_; }
  std::vector<std::string> work() override {
    device_->catch_up();
    return matmul::work_of(device_->core());
  }
  std::vector<Finding> findings(const OriginText& origin) override {
    std::vector<Finding> findings;
    for (const matmul::ErrataEvent& event : device_->errata().events())
      findings.push_back({"MatMul: " + to_text(event, origin), event.first_cycle * period_});
    if (device_->hung_thread() >= 0)
      findings.push_back({"MatMul: thread " + std::to_string(device_->hung_thread()) + " hangs in its LOAD"});
    return findings;
  }

  std::string address() const override { return port_->address(); }
  bool may_bring_more() const override { return true; }

 private:
  void open_port(const matmul::MatmulConfig& config, Site& site) {
    const matmul::CoreConfig core = config.core_config();
    const Clock clock(config.clock_period);
    port_ = std::make_unique<matmul::HostPort>((name() + "_port").c_str(), open_host_link(target_),
                                               clock.time_of(core.symbol_clocks), clock.time_of(core.frame_clocks()),
                                               site.horizon(), site.host_wake());
    device_->connect(*port_);
    port_->connect(device_->line());
  }

  const SerialTarget target_;
  const matmul::MatmulConfig config_;
  const Picoseconds period_;
  std::unique_ptr<matmul::Matmul> device_;
  matmul::ThreadLog log_;
  std::unique_ptr<matmul::HostPort> port_;
};

}  // namespace

void MatmulSettings::declare(const ParameterGroup& group) {
  group.text("serial", serial_,
             "where its serial line leads: uart1, pty (a pseudo-terminal of this host), tcp:PORT or none");
  config_.declare(group);
}

void MatmulSettings::check(const Outline&) const {
  parse_serial_target(serial_);
  config_.core_config();
}

void MatmulSettings::outline(Outline& outline) const {
  const SerialTarget target = parse_serial_target(serial_);
  if (target.kind == SerialTarget::Kind::part) outline.serial_wires.push_back({name(), "serial", target.part});
}

/// What a driver must know of the device at the other end of a serial port.
void MatmulSettings::describe(DeviceTree& tree) const {
  const SerialTarget target = parse_serial_target(serial_);
  if (target.kind != SerialTarget::Kind::part) return;
  tree.add_properties(target.part, {{"current-speed", std::uint32_t{config_.baud}},
                                    {"matmul,mesh", std::uint32_t{config_.mesh}},
                                    {"matmul,tile", std::uint32_t{config_.tile}}});
}

std::unique_ptr<Part> MatmulSettings::build(Site& site) const {
  return std::make_unique<MatmulPart>(config_, parse_serial_target(serial_), site);
}

const PartKind& matmul_kind() {
  static const PartKind kind{"matmul", "matrix multiplier at the end of a serial line", make_settings<MatmulSettings>};
  return kind;
}

}  // namespace vp
