#include "models/uart/part.h"

#include <optional>

#include "models/common/device_tree.h"
#include "models/common/host_end_stream.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/common/stop_request.h"
#include "models/uart/uart.h"

namespace vp {

namespace {

class UartPart : public Part, public SerialPort {
 public:
  UartPart(const UartConfig& config, Site& site)
      : Part(site.name()),
        uart_(site.name().c_str(), config, site.horizon(), site.host_wake(), *site.roles().find<StopRequest>()) {
    site.add_window(site.name(), uart_.socket);
    site.connect_interrupt("interrupt",
                           [this](InterruptLine::Receiver receiver) { uart_.bind_interrupt(std::move(receiver)); });
    site.offer<SerialPort>(*this);
    if (console_ == nullptr) return;
    stream_.emplace(*console_, [this] { return uart_.interrupts_on_input(); });
    site.offer<HostStream>(*stream_);
  }

  void reset() override { uart_.reset(); }
  void report(Statistics& root) const override { uart_.report(root.group(name())); }
  std::vector<std::string> work() override { return uart_.work(); }
  const RegisterBank* registers() const override { return &uart_.registers(); }
  void persist(Archive& archive) override { uart_.persist(archive); }

  std::vector<Finding> findings(const OriginText&) override {
    std::vector<Finding> findings;
    for (const std::string& lost : {uart_.lost_bits(), console_ ? console_->lost_output() : ""})
      if (!lost.empty()) findings.push_back({lost});
    return findings;
  }

  void plug_in(SerialLineEnd& other) override { uart_.connect_line(other); }
  SerialLineEnd& line_end() override { return uart_.line_end(); }

 private:
  Uart uart_;
  HostEnd* const console_ = uart_.console();
  std::optional<HostEndStream> stream_;
};

class UartSettings : public PartSettings {
 public:
  explicit UartSettings(std::string name) : PartSettings(std::move(name)) {
    config_.input.clear();  // one console of a machine has the standard streams
    config_.output.clear();
  }

  void declare(const ParameterGroup& group) override {
    declare_base(group, base_);
    declare_interrupt(group, "interrupt", interrupt_);
    config_.declare(group);
  }
  void check(const Outline&) const override { config_.check(name()); }
  void outline(Outline& outline) const override {
    outline.windows.push_back({name(), {name(), base_, UartCore::kWindow}});
    outline.interrupts.push_back({name(), "interrupt", interrupt_});
    outline.serial_ports.push_back({name(), config_.on_host()     ? name() + ".serial"
                                            : config_.has_files() ? name() + ".input, " + name() + ".output"
                                                                  : ""});
  }
  /// A port with a device at the other end of its line is no console.
  void describe(DeviceTree& tree) const override {
    tree.add_device(name(), {"serial",
                             base_,
                             UartCore::kWindow,
                             {"ns16550a"},
                             {interrupt_},
                             {{"clock-frequency", std::uint32_t{config_.clock_frequency}}}});
    if (!tree.machine().wire_to(name())) tree.offer_console(name());
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<UartPart>(config_, site); }

 private:
  std::uint64_t base_ = kNoBase;
  InterruptWire interrupt_;
  UartConfig config_;
};

}  // namespace

const PartKind& uart_kind() {
  static const PartKind kind{"uart", "UART 16550: a console, or a serial line to a device",
                             make_settings<UartSettings>};
  return kind;
}

}  // namespace vp
