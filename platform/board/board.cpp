#include "platform/board/board.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "models/common/access_probe.h"
#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/overlapping_master.h"
#include "models/common/tlm_initiator.h"
#include "models/common/tlm_target.h"
#include "platform/board/machine_observer.h"

namespace vp {

/// What one part sees of the board.
class Board::PartSite : public Site {
 public:
  PartSite(Board& board, std::string part, const BusConfig& bus)
      : board_(board), name_(std::move(part)), bus_clock_(bus.clock), bus_bytes_(bus.width / 8) {}

  const std::string& name() const override { return name_; }
  const Outline& machine() const override { return board_.outline_; }
  Horizon& horizon() override { return board_.horizon_; }
  Liveness& liveness() override { return board_.liveness_; }
  HostWake& host_wake() override { return board_.host_wake_; }
  Picoseconds bus_clock() const override { return bus_clock_; }
  unsigned bus_bytes() const override { return bus_bytes_; }
  Roles& roles() override { return board_.roles_; }

  void add_window(const std::string& window, TlmTarget& socket, ByteCount counted) override {
    check_outlined(window, board_.outline_.windows, [](const Outline::Window& one) { return one.window.name; });
    board_.windows_.push_back({window, &socket, std::move(counted)});
  }
  void add_initiator(const std::string& initiator, TlmInitiator& socket, ByteCount counted,
                     DirectAccount direct) override {
    check_outlined(initiator, board_.outline_.initiators, [](const Outline::Initiator& one) { return one.name; });
    board_.initiators_.push_back({initiator, &socket, nullptr, {}, std::move(counted)});
    if (direct) board_.direct_.emplace_back(initiator, std::move(direct));
  }
  void add_initiator(const std::string& initiator, OverlappingMaster& master, BusPortOptions port,
                     ByteCount counted) override {
    check_outlined(initiator, board_.outline_.initiators, [](const Outline::Initiator& one) { return one.name; });
    board_.initiators_.push_back({initiator, nullptr, &master, port, std::move(counted)});
  }
  void connect_interrupt(const std::string& parameter, std::function<void(InterruptLine::Receiver)> bind,
                         std::function<void()> seen) override {
    for (const Outline::Interrupt& line : board_.outline_.interrupts)
      if (line.part == name_ && line.parameter == parameter) {
        board_.interrupts_.push_back({&line, std::move(bind), std::move(seen)});
        return;
      }
    throw std::logic_error(name_ + " has not outlined its interrupt line " + parameter);
  }

 private:
  template <typename Entries, typename NameOf>
  void check_outlined(const std::string& entry, const Entries& entries, NameOf name_of) const {
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const auto& one) { return one.part == name_ && name_of(one) == entry; }))
      throw std::logic_error(name_ + " has not outlined " + entry);
  }

  Board& board_;
  const std::string name_;
  const Picoseconds bus_clock_;
  const unsigned bus_bytes_;
};

namespace {

/// The outline of a machine that has passed its checks.
Outline checked_outline(const MachineSettings& settings) {
  settings.check();
  return settings.outline();
}

}  // namespace

/// The hart's interrupt inputs with an observer at each; the parts take it for the hart.
class Board::WatchedHart : public HartInputs {
 public:
  WatchedHart(std::string part, HartInputs& hart, MachineObserver& observer)
      : part_(std::move(part)), hart_(hart), observer_(observer) {}

  InterruptLine::Receiver software_interrupt() override { return watch("MSIP", hart_.software_interrupt()); }
  InterruptLine::Receiver timer_interrupt() override { return watch("MTIP", hart_.timer_interrupt()); }
  InterruptLine::Receiver supervisor_timer_interrupt() override {
    return watch("STIP", hart_.supervisor_timer_interrupt());
  }
  InterruptLine::Receiver external_interrupt() override { return watch("MEIP", hart_.external_interrupt()); }
  InterruptLine::Receiver supervisor_external_interrupt() override {
    return watch("SEIP", hart_.supervisor_external_interrupt());
  }

  std::string from;  ///< the part that connects itself now

 private:
  InterruptLine::Receiver watch(const char* input, InterruptLine::Receiver receiver) {
    return observer_.watch_line(from, part_ + "." + input, std::move(receiver));
  }

  const std::string part_;
  HartInputs& hart_;
  MachineObserver& observer_;
};

Board::Board(const MachineSettings& settings, RunControl& control, StopRequest& stop, MachineObserver* observer)
    : outline_(checked_outline(settings)), observer_(observer) {
  roles_.offer<RunControl>("", control);
  roles_.offer("", stop);
  build_parts(settings);
  if (observer_) watch_parts();
  make_bus(settings.bus);
  connect_parts();
  connect_interrupts();
}

/// Accesses are watched where the bus is connected, and interrupt lines where they are.
void Board::watch_parts() {
  for (const auto& [part, inputs] : roles_.all<InterruptInputs>())
    inputs->on_service(
        [this, controller = part](const InterruptService& service) { observer_->serviced(controller, service); });
  const auto harts = roles_.all<HartInputs>();
  if (harts.empty()) return;
  watched_hart_ = std::make_unique<WatchedHart>(harts.front().first, *harts.front().second, *observer_);
  roles_.replace<HartInputs>(*watched_hart_);
}

void Board::connect_parts() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (watched_hart_) watched_hart_->from = parts_[i].part->name();
    parts_[i].part->connect(*sites_[i]);
  }
}

Board::~Board() = default;

void Board::build_parts(const MachineSettings& settings) {
  for (std::size_t i = 0; i < settings.parts().size(); ++i) {
    const DescribedPart& described = settings.parts()[i];
    if (i == settings.bus_position()) bus_position_ = parts_.size();
    if (!described.settings->present) continue;
    sites_.push_back(std::make_unique<PartSite>(*this, described.settings->name(), settings.bus));
    parts_.push_back({described.kind->name, described.settings->build(*sites_.back())});
  }
  if (settings.bus_position() == settings.parts().size()) bus_position_ = parts_.size();
}

void Board::make_bus(const BusConfig& config) {
  std::vector<BusWindow> windows;
  for (const Outline::Window& one : outline_.windows) windows.push_back(one.window);
  std::vector<std::string> initiators;
  for (const Outline::Initiator& one : outline_.initiators) initiators.push_back(one.name);
  bus_ = std::make_unique<Bus>("bus", config, horizon_, std::move(initiators), std::move(windows));
  for (const InitiatorConnection& one : initiators_) {
    if (one.master)
      bus_->connect_initiator(one.name, *one.master, one.port);
    else
      bus_->connect_initiator(one.name, *one.socket, one.port);
  }
  for (const auto& one : windows_) connect_target(one);
  for (const auto& [initiator, account] : direct_)
    bus_->set_dmi_traffic_source(initiator, [account = account] {
      std::vector<DmiTraffic> traffic;
      for (const DirectAccesses& one : account())
        traffic.push_back({one.address, {one.reads, one.writes, one.read_bytes, one.write_bytes}});
      return traffic;
    });
}

void Board::connect_target(const Connection<TlmTarget>& connection) {
  const auto window = std::find_if(outline_.windows.begin(), outline_.windows.end(),
                                   [&](const Outline::Window& one) { return one.window.name == connection.name; });
  if (!observer_ || window->window.memory) {
    bus_->connect_target(connection.name, *connection.socket);
    return;
  }
  const auto part =
      std::find_if(parts_.begin(), parts_.end(), [&](const Built& one) { return one.part->name() == window->part; });
  // Of a part with several windows, the one with its name has the registers.
  const RegisterBank* const bank = connection.name == window->part ? part->part->registers() : nullptr;
  AccessObserver& watcher = observer_->watch_window(window->part, connection.name, bank);
  // Its name in the kernel is, as all that are ours there, none that a part can have.
  probes_.push_back(std::make_unique<AccessProbe>(("probe-of-" + connection.name).c_str(), watcher));
  bus_->connect_target(connection.name, *connection.socket, *probes_.back());
}

void Board::connect_interrupts() {
  for (const InterruptConnection& one : interrupts_) {
    const InterruptWire& wire = one.line->wire;
    const Outline::Controller* const controller = wire.connected() ? outline_.controller_of(wire) : nullptr;
    if (!controller) continue;  // the line is unplugged
    InterruptInputs* const inputs = roles_.find<InterruptInputs>(controller->part);
    if (!inputs) throw std::logic_error(controller->part + " has not offered its interrupt inputs");
    InterruptLine::Receiver input = inputs->input(wire.number, one.line->trigger == Outline::Trigger::edge);
    if (observer_)
      input = observer_->watch_line(one.line->part + "." + one.line->parameter,
                                    controller->part + ":" + std::to_string(wire.number), std::move(input));
    one.bind(std::move(input));
    if (one.seen) inputs->on_seen(wire.number, one.seen);
  }
}

void Board::set_fidelity(Fidelity fidelity) {
  bus_->set_fidelity(fidelity);
  for (const Built& one : parts_) one.part->set_fidelity(fidelity);
}

void Board::reset() {
  bus_->reset();
  for (const Built& one : parts_) one.part->reset();
}

void Board::persist(Archive& archive) {
  archive("bus", *bus_);
  for (const Built& one : parts_) archive(one.part->name().c_str(), *one.part);
}

void Board::report(Statistics& root) const {
  for (std::size_t i = 0; i <= parts_.size(); ++i) {
    if (i == bus_position_) bus_->report(root.group("bus", "interconnect"));
    if (i < parts_.size()) parts_[i].part->report(root);
  }
}

void Board::bounds(Bounds& bounds) const {
  bus_->bounds(bounds);
  for (const Built& one : parts_) one.part->bounds(bounds);
}

/// Of several parts of a kind each finding says whose it is.
std::vector<Finding> Board::findings(const OriginText& origin) const {
  std::map<std::string, unsigned> count;
  for (const Built& one : parts_) ++count[one.kind];
  std::vector<Finding> all;
  for (const Built& one : parts_)
    for (const Finding& finding : one.part->findings(origin))
      all.push_back({(count[one.kind] > 1 ? one.part->name() + ": " : "") + finding.text, finding.time, finding.kind});
  return all;
}

std::vector<Board::Named> Board::parts() const {
  std::vector<Named> all;
  for (const Built& one : parts_) all.push_back({one.kind, one.part.get()});
  return all;
}

InstructionSource& Board::instructions(const std::string& part) {
  std::string others;
  for (const Built& one : parts_) {
    InstructionSource* const source = one.part->instructions();
    if (source && one.part->name() == part) return *source;
    if (source) others += (others.empty() ? "" : ", ") + one.part->name();
  }
  throw UserError("--log-instructions: '" + part + "' is no part with instructions of its own" +
                  (others.empty() ? "; this machine has none" : "; those are: " + others));
}

void Board::trace(TimelineSink& timeline) {
  for (const Built& one : parts_) one.part->trace(timeline);
  for (const std::string& link : bus_->links()) {
    auto track = std::make_shared<std::optional<TimelineSink::Track>>();
    bus_->on_link_busy(link, [&timeline, track, unit = "bus." + link](unsigned, Picoseconds start, Picoseconds end) {
      if (!*track) *track = timeline.add_track(unit);
      timeline.add(**track, start, end, "busy");
    });
  }
}

std::string Board::broken_conservation() const {
  if (const std::string wrong = bus_->broken_conservation(); !wrong.empty()) return "bus: " + wrong;
  for (const Built& one : parts_)
    if (const std::string wrong = one.part->broken_conservation(); !wrong.empty())
      return one.part->name() + ": " + wrong;
  const auto differ = [](const ByteCount& counted, const BusTraffic& traffic) {
    return counted && (counted(false) != traffic.read_bytes || counted(true) != traffic.write_bytes);
  };
  for (const auto& window : windows_)
    if (differ(window.counted, bus_->delivered(window.name)))
      return window.name + ": its bytes are not those that the bus delivered";
  for (const auto& initiator : initiators_) {
    BusTraffic carried;
    for (const auto& window : windows_) carried += bus_->traffic(initiator.name, window.name);
    if (differ(initiator.counted, carried)) return initiator.name + ": its bytes are not those that the bus carried";
  }
  return "";
}

}  // namespace vp
