#pragma once

#include <cstdint>
#include <deque>

#include "models/common/console.h"
#include "models/virtio/config.h"
#include "models/virtio/device.h"
#include "models/virtio/figures.h"

namespace vp::virtio {

/// A console of one port (section 5.3): queue 0 takes input, queue 1 output; without multiple ports and window size.
class Terminal : public Device {
 public:
  static constexpr unsigned kReceive = 0, kTransmit = 1;
  static constexpr std::uint32_t kEmergencyWrite = 1 << 2;  ///< feature: a byte can be sent before there are queues

  explicit Terminal(const TerminalConfig&);

  /// Its other end; before the simulation starts. Without one what is sent is lost.
  void connect(Console& console) { console_ = &console; }

  std::uint32_t id() const override { return 3; }
  std::uint32_t features() const override { return kEmergencyWrite; }
  unsigned queues() const override { return 2; }
  /// The receiving queue takes a buffer when there is input for it.
  bool ready(unsigned queue) override;
  void begin(Queue& queue, Picoseconds now) override;
  void moved(Queue& queue, Picoseconds now) override;
  void drop(unsigned queue) override;

  const TerminalFigures& figures() const { return done_; }
  void report(Statistics& group) const override;
  std::uint64_t bytes() const override { return done_.received + done_.sent; }
  /// The console is the host's and no state.
  void persist(Archive& archive) override;

 private:
  void send(std::uint8_t byte);
  void send_more(Queue& queue, Picoseconds now);

  Console* console_ = nullptr;      // not owned
  std::deque<std::uint8_t> input_;  // taken from the console, not yet in the guest's memory
  std::uint32_t receiving_ = 0;     // bytes of it on the way there
  std::uint32_t sending_ = 0;       // bytes on the way here
  TerminalFigures done_;

  Register<std::uint16_t> cols_{registers, {"cols", kConfig, "not known", RegisterMode::read_only}};
  Register<std::uint16_t> rows_{registers, {"rows", kConfig + 2, "not known", RegisterMode::read_only}};
  Register<std::uint32_t> max_nr_ports_{registers, {"max_nr_ports", kConfig + 4, "one", RegisterMode::read_only}, 1};
  Register<std::uint32_t> emerg_wr_{
      registers, {"emerg_wr", kConfig + 8, "sends a byte at once, without a queue", RegisterMode::write_only}};
};

}  // namespace vp::virtio
