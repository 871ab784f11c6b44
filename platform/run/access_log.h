#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/common/access_probe.h"
#include "models/common/outline.h"
#include "platform/board/machine_observer.h"
#include "platform/files/text_buffer.h"
#include "platform/loader/symbol_table.h"
#include "platform/run/access_filter.h"
#include "platform/run/access_line.h"

namespace vp {

/// Writes one line an access to parts of a machine, and with them the edges of their interrupt lines, claims and
/// completions. An access has the time at which it is at the part, which is its master's own and may lie ahead of the
/// kernel's; lines stand in the order in which the parts saw the accesses. What an access causes at once stands behind
/// it with its time.
class AccessLog : public MachineObserver {
 public:
  /// Throws UserError for parts that cannot be logged, and if the file cannot be made.
  AccessLog(const AccessLogRequest& request, const Outline& machine);
  ~AccessLog() override;

  /// The program's, which must live until close(). Throws UserError if the request's range of pc is none.
  void use_symbols(const SymbolTable& symbols);
  /// Empties the file. What came before goes there then.
  void begin() { out_.begin(); }
  /// Throws UserError if any of it could not be written.
  void close();

  AccessObserver& watch_window(const std::string& part, const std::string& window, const RegisterBank* bank) override;
  InterruptLine::Receiver watch_line(const std::string& from, const std::string& to,
                                     InterruptLine::Receiver receiver) override;
  void serviced(const std::string& controller, const InterruptService& service) override;

 private:
  class Window;
  /// An access as it recurs: everything about it that does not change, and what the last one of it had.
  struct Recurring {
    const Window* window = nullptr;
    std::uint64_t pc = 0, offset = 0;
    std::uint64_t rest = 0;  ///< size, direction, initiator, view
    bool wanted = false;
    AccessHead head;
    AccessTail tail;
  };

  void enter(Picoseconds time);
  void write(const Window& window, const Access& access, AccessResult result);
  void leave();
  Recurring& recurring(const Window& window, const Access& access, const MemoryRegion* region);
  bool at_wanted_pc(std::uint64_t pc) const;
  AccessFacts facts_of(const Window& window, const Access& access, const MemoryRegion* region) const;
  void event(const std::string& text);
  void write_event(Picoseconds time, const std::string& text);
  std::string source_name(const std::string& controller, unsigned source) const;

  const Outline machine_;
  const AccessLogFormat format_;
  const AccessFilter filter_;
  const std::string pc_;
  std::uint64_t first_pc_ = 0, last_pc_ = ~std::uint64_t{0};
  TextBuffer out_;
  const SymbolTable* symbols_ = nullptr;
  std::vector<std::unique_ptr<Window>> windows_;
  std::vector<Recurring> recurring_;
  unsigned depth_ = 0;  ///< of accesses under way
  Picoseconds access_time_ = 0;
  std::vector<std::string> caused_;  ///< events during an access
};

}  // namespace vp
