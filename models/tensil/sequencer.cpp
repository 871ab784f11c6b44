#include "models/tensil/sequencer.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/bus_window.h"
#include "models/common/wording.h"
#include "models/tensil/asm.h"

namespace vp::tensil {

Sequencer::Sequencer(const TensilConfig& config, MasterPort& dram0, MasterPort& dram1, VisibleTimer& timer)
    : config_(config),
      clock_(config.clock_period),
      timer_(timer),
      core_(config.architecture, config.encoding, config.on_error, config.axi_width / 8),
      sampler_(core_, config.sample_block, config.clock_period),
      kernel_(dram0),
      ports_{MemoryPort(dram0, config.axi_width / 8, config.clock_period),
             MemoryPort(dram1, config.axi_width / 8, config.clock_period)},
      probe_(config.architecture.dram0_depth),
      moving_(config.architecture.number_of_threads) {
  for (MemoryPort& port : ports_) port.on_over = [this](const DramMove& move, std::uint64_t end) { over(move, end); };
  sampler_.on_wanted = [this] { announce(kernel_.now()); };
}

void Sequencer::offered(Picoseconds now) {
  if (starved_) came_ = now;
  starved_ = false;
  run();
}

/// Takes the bytes of the next instruction. The decoder of one thread stands still while its transfer is under way.
bool Sequencer::fetch(Picoseconds now) {
  if (core_.stopped() || source_ == nullptr || (moving_.size() == 1 && moving_[0])) return false;
  const std::size_t length = core_.layout().instruction_bytes();
  const std::size_t count = std::min(source_->available(), length - bytes_.size());
  if (count > 0) {
    if (source_->begun() != packet_) probe_.packet(source_->begun(), ended());
    packet_ = source_->begun();
    const Picoseconds free = moving_.size() == 1 ? clock_.time_of(core_.timing().next_cycle()) : 0;
    taken_ = std::max({taken_, now, free});
    bytes_.resize(bytes_.size() + count);
    source_->take(&bytes_[bytes_.size() - count], count, taken_);
  }
  starved_ = source_->available() == 0;
  if (bytes_.size() < length) return false;
  next_ = core_.layout().decode(bytes_.data());
  bytes_.clear();
  core_.timing().arrive(clock_.edge_at_or_after(came_), clock_.edge_at_or_after(packet_), probe_.program_open());
  return true;
}

/// Whether the instruction has to wait for a transfer under way.
bool Sequencer::blocked(const Instruction& in) const {
  const auto moves = [this](std::uint32_t thread) { return thread < moving_.size() && moving_[thread]; };
  if (moves(in.thread)) return true;
  if (in.operation == Operation::no_op && core_.layout().encoding() == Encoding::v2) return moves(in.address0);
  return in.operation == Operation::data_move && in.flags < 4 && ports_[in.flags / 2].busy();
}

void Sequencer::run() {
  if (running_) return;
  running_ = true;
  while ((next_ || fetch(kernel_.now())) && !core_.stopped() && !blocked(*next_)) {
    const Instruction in = *next_;
    next_.reset();
    start(in);
  }
  running_ = false;
  announce(kernel_.now());
}

void Sequencer::start(const Instruction& in) {
  std::optional<DramMove> move = core_.begin(in, taken_);
  if (core_.stopped()) {
    if (on_stop_) on_stop_();
    return;
  }
  if (!move) {
    probe_.other_began();
    const Timing::Span& span = core_.timing().newest();
    observe(span.activity, span.begin, span.end);
    return;
  }
  probe_.began(*move, kernel_.now());
  moving_[in.thread] = 1;
  const Picoseconds request = clock_.time_of(move->cycle + MemoryPort::kRequestCycles);
  ports_[move->port].begin(std::move(*move), request);
}

void Sequencer::over(const DramMove& move, std::uint64_t end) {
  core_.finish(move, end - std::min(end, move.cycle));
  moving_[move.instruction.thread] = 0;
  observe(move.activity, move.cycle, end);
  run();
}

void Sequencer::observe(Activity activity, std::uint64_t start, std::uint64_t end) {
  if (observer_ && start < end) observer_(activity, clock_.time_of(start), clock_.time_of(end));
}

void Sequencer::deliver(Picoseconds due) {
  sampler_.deliver(due);
  announce(due);
}

/// Others may run ahead to where memory can change next, or a packet of samples ends.
void Sequencer::announce(Picoseconds now) {
  sampler_.settle(now);
  Picoseconds next = sampler_.next();
  const Picoseconds request = MemoryPort::kRequestCycles * clock_.period();
  bool busy = false;
  for (const MemoryPort& port : ports_) {
    next = std::min(next, port.next_write(now));
    if (!port.busy()) continue;
    busy = true;
    next = std::min(next, port.earliest_end(now) + request);
  }
  if (!busy && !core_.stopped() && source_ != nullptr && source_->active()) next = std::min(next, now + request);
  timer_.set(next);
}

void Sequencer::reset(Picoseconds now) {
  for (MemoryPort& port : ports_) port.abandon();
  sampler_.reset();
  core_.reset(clock_.edge_at_or_after(now));
  bytes_.clear();
  next_.reset();
  std::fill(moving_.begin(), moving_.end(), 0);
  taken_ = came_ = packet_ = now;
  starved_ = true;
  timer_.set(kNever);
}

bool Sequencer::idle() const {
  return !next_ && std::none_of(moving_.begin(), moving_.end(), [](std::uint8_t moves) { return moves != 0; }) &&
         std::none_of(std::begin(ports_), std::end(ports_),
                      [](const MemoryPort& port) { return port.responses_missing(); });
}

std::vector<vp::Finding> Sequencer::findings() const {
  std::vector<vp::Finding> all;
  for (unsigned i = 0; i < kFindingKinds; ++i) {
    const auto kind = static_cast<FindingKind>(i);
    const std::uint64_t count = core_.findings().count(kind);
    if (count == 0) continue;
    std::string text = std::to_string(count) + " × " + name_of(kind);
    for (const Finding& one : core_.findings().kept())
      if (one.kind == kind) {
        text += ", first at program counter " + std::to_string(one.program_counter) +
                (one.text.empty() ? "" : ": " + one.text);
        break;
      }
    all.push_back({text + "."});
  }
  for (unsigned number = 0; number < 2; ++number) {
    const MemoryPort::Refused& refused = ports_[number].refused();
    if (refused.number == 0) continue;
    all.push_back({counted(refused.number, "burst") + " of port DRAM" + std::to_string(number) + " failed, the first " +
                       (refused.write ? "written to" : "read from") + " " + hexadecimal(refused.address) +
                       ": the TCU does not look at responses.",
                   refused.time});
  }
  if (moving_.size() > 1 && core_.figures().instructions != 0)
    all.push_back(
        {"All times of this run are an estimate: no hardware with several threads was ever measured. The data are "
         "exact."});
  probe_.add_findings(all);
  if (!idle())
    all.push_back(
        {"The run ended while the TCU was at work: its instructions had been accepted, but not all had been "
         "executed."});
  return all;
}

std::string Sequencer::broken_conservation() const {
  if (bytes_.size() >= core_.layout().instruction_bytes()) return "a whole instruction was not decoded";
  for (const MemoryPort& port : ports_)
    if (port.busy() && idle()) return "a port is busy while the TCU is idle";
  return core_.timing().broken_conservation();
}

void Sequencer::persist(Archive& archive) {
  archive("core", core_)("dram0", ports_[0])("dram1", ports_[1])("sampler", sampler_)("probe", probe_)("bytes", bytes_)(
      "next", next_);
  archive.fixed("moving", moving_);
  archive("taken", taken_)("came", came_)("packet", packet_)("starved", starved_);
}

}  // namespace vp::tensil
