#include "platform/run/access_log.h"

#include <algorithm>

#include "models/common/error.h"
#include "models/common/tlm_time.h"
#include "platform/trace/instruction_trace.h"

namespace vp {

namespace {

constexpr std::size_t kRecurring = 4096;  // a power of two

bool is_json_name(const std::string& path) {
  const std::string suffix = ".jsonl";
  return path.size() > suffix.size() && path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

AccessLogFormat format_of(const AccessLogRequest& request) {
  if (request.format) return *request.format;
  return is_json_name(request.file) ? AccessLogFormat::json_lines : AccessLogFormat::text;
}

std::string part_of(const std::string& end) { return end.substr(0, end.find_first_of(".:")); }

}  // namespace

/// The accesses to one window. Those to parts that are not logged are watched, too: what they cause may be.
class AccessLog::Window : public AccessObserver {
 public:
  Window(AccessLog& log, std::string part_name, std::string window, const RegisterBank* registers, bool is_logged)
      : part(std::move(part_name)), name(std::move(window)), bank(registers), log_(log), logged_(is_logged) {
    if (bank == nullptr) return;
    for (const MemoryRegion& one : bank->regions())
      if (!holds_registers(one)) memories_.push_back(one);
  }

  void begins(const Access& access) override { log_.enter(access.time); }
  void ended(const Access& access, AccessResult result) override {
    if (logged_) log_.write(*this, access, result);
    log_.leave();
  }

  /// The memory around an offset, nullptr if there is none.
  const MemoryRegion* memory(std::uint64_t offset) const {
    for (const MemoryRegion& one : memories_)
      if (offset - one.offset < one.size) return &one;
    return nullptr;
  }

  const std::string part, name;
  const RegisterBank* const bank;

 private:
  bool holds_registers(const MemoryRegion& region) const {
    for (const RegisterBase* const reg : bank->registers())
      for (unsigned i = 0; i < reg->extent().count; ++i)
        if (reg->offset(i) - region.offset < region.size) return true;
    return false;
  }

  std::vector<MemoryRegion> memories_;
  AccessLog& log_;
  const bool logged_;
};

AccessLog::AccessLog(const AccessLogRequest& request, const Outline& machine)
    : machine_(machine),
      format_(format_of(request)),
      filter_(request, machine),
      pc_(request.pc),
      out_(request.file),
      recurring_(kRecurring) {}

AccessLog::~AccessLog() = default;

void AccessLog::use_symbols(const SymbolTable& symbols) {
  symbols_ = &symbols;
  if (pc_.empty()) return;
  const cpu::TraceWindow window = parse_pc_window(pc_, symbols, "--log-access-pc");
  first_pc_ = window.first_pc;
  last_pc_ = window.last_pc;
}

void AccessLog::close() { out_.close(); }

AccessObserver& AccessLog::watch_window(const std::string& part, const std::string& window, const RegisterBank* bank) {
  if (window == part) filter_.check_registers(part, bank);
  windows_.push_back(std::make_unique<Window>(*this, part, window, bank, filter_.has_any(part)));
  return *windows_.back();
}

InterruptLine::Receiver AccessLog::watch_line(const std::string& from, const std::string& to,
                                              InterruptLine::Receiver receiver) {
  if (!filter_.has_whole(part_of(from)) && !filter_.has_whole(part_of(to))) return receiver;
  const std::string text = format_ == AccessLogFormat::text
                               ? "  line " + from + " -> " + to
                               : ",\"event\":\"line\",\"from\":" + json_string(from) + ",\"to\":" + json_string(to);
  const bool plain = format_ == AccessLogFormat::text;
  return [this, rises = text + (plain ? " rises" : ",\"level\":1}"),
          falls = text + (plain ? " falls" : ",\"level\":0}"), receiver = std::move(receiver)](bool level) {
    event(level ? rises : falls);
    receiver(level);
  };
}

void AccessLog::serviced(const std::string& controller, const InterruptService& service) {
  if (!filter_.has_whole(controller)) return;
  const bool claim = service.kind == InterruptService::Kind::claim;
  const std::string source = source_name(controller, service.source), number = std::to_string(service.source);
  event(format_ == AccessLogFormat::text
            ? "  " + controller + " context " + std::to_string(service.context) + (claim ? " claims" : " completes") +
                  " source " + number + (source.empty() ? "" : " (" + source + ")")
            : std::string(",\"event\":\"") + (claim ? "claim" : "complete") +
                  "\",\"controller\":" + json_string(controller) + ",\"context\":" + std::to_string(service.context) +
                  ",\"source\":" + number + (source.empty() ? "" : ",\"from\":" + json_string(source)) + "}");
}

std::string AccessLog::source_name(const std::string& controller, unsigned source) const {
  for (const Outline::Interrupt& line : machine_.interrupts) {
    const Outline::Controller* const other = line.wire.connected() ? machine_.controller_of(line.wire) : nullptr;
    if (other && other->part == controller && line.wire.number == source) return line.part + "." + line.parameter;
  }
  return "";
}

// ---- lines

void AccessLog::enter(Picoseconds time) {
  if (depth_++ == 0) access_time_ = time;
}

void AccessLog::leave() {
  if (--depth_ != 0 || caused_.empty()) return;
  for (const std::string& text : caused_) write_event(access_time_, text);
  caused_.clear();
}

/// Behind the access that is under way, if one is.
void AccessLog::event(const std::string& text) {
  if (depth_ != 0)
    caused_.push_back(text);
  else
    write_event(kernel_time(), text);
}

void AccessLog::write_event(Picoseconds time, const std::string& text) {
  begin_line(time, format_, out_);
  out_.add(text);
  out_.add('\n');
}

void AccessLog::write(const Window& window, const Access& access, AccessResult result) {
  const MemoryRegion* const region = window.memory(access.address);
  Recurring& one = recurring(window, access, region);
  const std::uint64_t offset = access.address - (region ? region->offset : 0);
  if (one.wanted) write_line(one.head, one.tail, access, offset, result, format_, out_);
}

/// Accesses all over a memory are one and the same.
AccessLog::Recurring& AccessLog::recurring(const Window& window, const Access& access, const MemoryRegion* region) {
  const std::uint64_t offset = region ? region->offset : access.address;
  const std::uint64_t view = window.bank ? static_cast<std::uint64_t>(window.bank->view()) : 0;
  const std::uint64_t rest = std::uint64_t{access.size} << 32 | view << 24 | std::uint64_t{access.initiator} << 1 |
                             static_cast<std::uint64_t>(access.write);
  const std::uint64_t hash =
      access.pc * 0x9E3779B97F4A7C15u ^ offset * 0xC2B2AE3D27D4EB4Fu ^ rest * 0x165667B19E3779F9u;
  Recurring& one = recurring_[(hash >> 40) % kRecurring];
  if (one.window == &window && one.pc == access.pc && one.offset == offset && one.rest == rest) return one;
  const AccessFacts facts = facts_of(window, access, region);
  one = {&window, access.pc, offset, rest, false, {}, {}};
  one.wanted = filter_.has(window.part, facts.registers, access.write) && at_wanted_pc(access.pc);
  if (one.wanted) one.head = head_of(facts, format_);
  return one;
}

bool AccessLog::at_wanted_pc(std::uint64_t pc) const {
  return pc_.empty() || (pc != kNoPc && pc >= first_pc_ && pc <= last_pc_);
}

AccessFacts AccessLog::facts_of(const Window& window, const Access& access, const MemoryRegion* region) const {
  AccessFacts facts;
  facts.master = machine_.initiators.at(access.initiator).name;
  facts.processor = std::any_of(machine_.processors.begin(), machine_.processors.end(),
                                [&](const Outline::Processor& one) { return one.part == facts.master; });
  facts.pc = access.pc;
  if (access.pc != kNoPc) facts.symbol = symbols_->describe(access.pc);
  facts.part = window.name;
  facts.write = access.write;
  facts.size = access.size;
  facts.offset = access.address;
  if (window.bank == nullptr) return facts;
  if (region != nullptr) {
    facts.region = region->name;
    return facts;
  }
  for (unsigned byte = 0; byte < access.size;) {
    const auto place = window.bank->place(access.address + byte, access.write);
    if (place) facts.registers.push_back(*place);
    if (byte == 0 && place) facts.in_one = place->byte + access.size <= place->width();
    byte += place ? place->width() - place->byte : 1;
  }
  if (facts.registers.empty()) facts.nearest = window.bank->describe(access.address);
  return facts;
}

}  // namespace vp
