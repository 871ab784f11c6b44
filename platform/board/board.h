#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/bounds.h"
#include "models/common/horizon.h"
#include "models/common/host_wake.h"
#include "models/common/instruction_source.h"
#include "models/common/liveness.h"
#include "models/common/machine_roles.h"
#include "models/common/part.h"
#include "models/common/roles.h"
#include "models/common/site.h"
#include "models/common/statistics.h"
#include "models/common/stop_request.h"
#include "models/common/timeline_sink.h"
#include "platform/board/machine_settings.h"

namespace vp {

class AccessProbe;
class Archive;
class MachineObserver;

/// A machine that stands: the bus and the parts of a description, built and wired. It knows no kind of part; what the
/// platform needs of one it finds by its role. One a process, since SystemC elaborates once.
class Board {
 public:
  /// `control` and `stop` are offered to the parts. observer: is told of what passes between them; nullptr: nobody is.
  /// Throws UserError: MachineSettings::check(), and what the host or the observer refuses a part.
  Board(const MachineSettings& settings, RunControl& control, StopRequest& stop, MachineObserver* observer = nullptr);
  ~Board();

  const Outline& outline() const { return outline_; }
  const Roles& roles() const { return roles_; }
  Liveness& liveness() { return liveness_; }
  const Liveness& liveness() const { return liveness_; }
  HostWake& host_wake() { return host_wake_; }
  Bus& bus() { return *bus_; }
  const Bus& bus() const { return *bus_; }

  void set_fidelity(Fidelity fidelity);
  /// Of the bus and of all parts.
  void persist(Archive& archive);
  /// Reset of all parts, in their order.
  void reset();
  /// Adds the figures of bus and parts, a group each.
  void report(Statistics& root) const;
  /// What the parts contribute to the question what bounds the run.
  void bounds(Bounds& bounds) const;
  /// Hazards of the program and defects of devices that struck. `origin` names who is behind an access.
  std::vector<Finding> findings(const OriginText& origin) const;
  /// What a part tells of its instructions. Throws UserError if it has none, or if there is no such part.
  InstructionSource& instructions(const std::string& part);
  /// Draws what parts and links of the bus do. Before the simulation starts.
  void trace(TimelineSink& timeline);
  /// What a run's figures must obey, whatever the guest did: empty, or what is wrong with the model.
  std::string broken_conservation() const;

 private:
  class PartSite;
  class WatchedHart;
  /// A socket that a part has given, with the part's own count of its bytes.
  template <typename Socket>
  struct Connection {
    std::string name;
    Socket* socket;
    ByteCount counted;
  };
  /// The same of a master: one of the two sockets.
  struct InitiatorConnection {
    std::string name;
    TlmInitiator* socket;
    OverlappingMaster* master;
    BusPortOptions port;
    ByteCount counted;
  };
  struct InterruptConnection {
    const Outline::Interrupt* line;
    std::function<void(InterruptLine::Receiver)> bind;
    std::function<void()> seen;  // may be empty
  };
  /// A built part with its kind's name.
  struct Built {
    std::string kind;
    std::unique_ptr<Part> part;
  };

  void build_parts(const MachineSettings& settings);
  void make_bus(const BusConfig& config);
  void connect_target(const Connection<TlmTarget>& window);
  void watch_parts();
  void connect_parts();
  void connect_interrupts();

  const Outline outline_;
  Horizon horizon_;
  Liveness liveness_{horizon_};
  HostWake host_wake_;
  Roles roles_;
  std::vector<Connection<TlmTarget>> windows_;
  std::vector<InitiatorConnection> initiators_;
  std::vector<std::pair<std::string, DirectAccount>> direct_;  // by initiator
  std::vector<InterruptConnection> interrupts_;
  std::vector<std::unique_ptr<PartSite>> sites_;
  std::vector<Built> parts_;
  std::size_t bus_position_ = 0;  // of the bus among them
  std::unique_ptr<Bus> bus_;
  MachineObserver* const observer_;
  std::unique_ptr<WatchedHart> watched_hart_;         // with an observer
  std::vector<std::unique_ptr<AccessProbe>> probes_;  // the same
};

}  // namespace vp
