#include <algorithm>

#include "models/tinytpu/asm.h"
#include "models/tinytpu/hazards.h"

// What a finding says to a person.

namespace vp::tinytpu {
namespace {

struct Named {
  const char* name;
  const char* meaning;
};
constexpr Named kNames[kHazardKinds] = {
    {"buffer_read_before_write", "unified-buffer rows a multiply read before an earlier activate wrote them"},
    {"accumulator_read_before_write", "accumulator rows read as addend before an earlier sum was written"},
    {"accumulator_overwritten", "accumulator rows overwritten before an earlier activate read them"},
    {"weights_overrun", "preloaded weight rows overwritten before a multiply took them"},
    {"weights_replaced", "weight rows a multiply took from a later read_weights"},
    {"host_collision", "cycles in which a host access took the unified buffer from a running instruction"},
    {"host_read_too_early", "host reads of unified-buffer rows that a pushed activate had still to write"},
    {"host_write_too_early", "host writes of unified-buffer rows that a pushed instruction had still to use"},
    {"host_weights_too_early", "host writes of weight rows that a pushed read_weights had still to read"},
    {"extra_writes", "rows written beyond the end of an activate that was followed too closely"},
    {"address_wrapped", "rows beyond the end of a memory, whose numbers wrapped"},
    {"longer_than_buffer", "rows by which instructions are longer than the memory they read or write"},
    {"no_effect", "instructions that do nothing, or not what they name"},
    {"lanes_uneven", "instruction words left in the FIFO without the others of their instruction"},
    {"never_ran", "instructions that never ran for want of a successor"},
};
constexpr const char* kMemories[] = {"unified buffer", "weight buffer", "accumulator file"};
constexpr const char* kLanes[] = {"lower", "middle", "upper"};

std::string plural(std::uint64_t count, const char* thing, const char* ending = "s") {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : ending);
}

std::string cycles(const Hazard& h) {
  if (h.first_edge == h.last_edge) return "in cycle " + std::to_string(h.first_edge);
  return "in cycles " + std::to_string(h.first_edge) + " to " + std::to_string(h.last_edge);
}

/// "instruction 3 (activate.s.relu 100, 0, 8, pushed by cpu at pc 0x80000012)"; of one that has been forgotten only its
/// kind, where that is known.
std::string name_of(std::uint64_t number, const PushedInstruction& pushed, const char* kind, const OriginText& origin) {
  const std::string text = "instruction " + std::to_string(number);
  if (!pushed.known) return *kind == 0 ? text : text + " (" + kind + ")";
  return text + " (" + disassemble(pushed.instruction) + words(", pushed by ", pushed.origin, origin) + ")";
}

/// The sentence of one finding, put together from its parts.
class Sentence {
 public:
  Sentence(const Hazard& hazard, const OriginText& origin) : h_(hazard), origin_(origin) {}

  std::string text() const { return h_.by_timing ? by_timing() : wrong(); }

 private:
  std::string self(const char* kind) const { return name_of(h_.instruction, h_.pushed, kind, origin_); }
  std::string other(const char* kind) const { return name_of(h_.other, h_.other_pushed, kind, origin_); }
  std::string rows() const {
    return ": " + plural(h_.rows, "row") + " from row " + std::to_string(h_.first_row) + " on, " + cycles(h_);
  }
  std::string memory() const { return kMemories[static_cast<unsigned>(h_.memory)]; }
  std::string of_rows() const { return "the " + memory() + " of " + plural(h_.depth, "row"); }
  /// "the host, by cpu at pc 0x80000012, "
  std::string host() const { return "the host" + words(", by ", h_.other_pushed.origin, origin_, ",") + " "; }
  std::string host_rows(const char* memory) const {
    const std::string first = std::to_string(h_.first_row);
    return std::string(memory) +
           (h_.first_row == h_.last_row ? " row " + first : " rows " + first + " to " + std::to_string(h_.last_row));
  }
  const char* unordered() const {
    return h_.unseen ? "but without having looked whether the synchronize had come (its interrupt or what the handler "
                       "has noted of it, or the counter at rest)"
                     : "but without waiting for a synchronize";
  }
  std::string accesses() const { return " (" + plural(h_.rows, "access", "es") + ", " + cycles(h_) + ")"; }

  std::string wrong() const;
  std::string wrong_by_host() const;
  std::string beyond() const;
  std::string no_effect() const;
  std::string uneven() const;
  std::string by_timing() const;
  std::string spare(const char* breaks_it) const;

  const Hazard& h_;
  const OriginText& origin_;
};

std::string Sentence::wrong() const {
  switch (h_.kind) {
    case HazardKind::buffer_read_before_write:
      return self("matrix_multiply") + " read the unified buffer before " + other("activate") + " wrote it" + rows();
    case HazardKind::accumulator_read_before_write:
      return self("matrix_multiply") + " read accumulators as addend before " +
             (h_.instruction == h_.other ? "its own earlier tile" : other("matrix_multiply")) + " wrote them" + rows();
    case HazardKind::accumulator_overwritten:
      return self("activate") + " read accumulators that " + other("matrix_multiply") + " had overwritten already" +
             rows();
    case HazardKind::weights_overrun:
      return "weights of " + self("read_weights") + " were overwritten by " +
             (h_.instruction == h_.other ? "its own later rows" : other("read_weights")) +
             " before a multiply took them" + rows();
    case HazardKind::weights_replaced:
      return self("matrix_multiply") + " took weights of the later " + other("read_weights") + rows();
    case HazardKind::extra_writes:
      return self("activate") + " wrote beyond its end because " + other("activate") + " followed closely" + rows();
    case HazardKind::never_ran:
      return self("read_weights") + " never ran: nothing follows it, and the look-ahead stage waits for a successor";
    case HazardKind::address_wrapped:
    case HazardKind::longer_than_buffer:
      return beyond();
    case HazardKind::no_effect:
      return no_effect();
    case HazardKind::lanes_uneven:
      return uneven();
    case HazardKind::host_collision:
    case HazardKind::host_read_too_early:
    case HazardKind::host_write_too_early:
    case HazardKind::host_weights_too_early:
      break;
  }
  return wrong_by_host();
}

std::string Sentence::wrong_by_host() const {
  if (h_.kind == HazardKind::host_collision)
    return "a host access " + words("by ", h_.other_pushed.origin, origin_, " ") + "of unified-buffer row " +
           std::to_string(h_.first_row) + " took the ports from " + self("") + " in " + plural(h_.rows, "cycle") +
           ", " + cycles(h_);
  if (h_.kind == HazardKind::host_read_too_early)
    return host() + "read " + host_rows("unified-buffer") + " before " + self("activate") +
           " wrote them, without waiting for a synchronize" + accesses();
  if (h_.kind == HazardKind::host_write_too_early)
    return host() + "wrote " + host_rows("unified-buffer") + " before " + self("") +
           " was done with them, without waiting for a synchronize" + accesses();
  return host() + "wrote " + host_rows("weight-buffer") + " before " + self("read_weights") +
         " read them, without waiting for a synchronize" + accesses();
}

std::string Sentence::beyond() const {
  if (h_.instruction == kNoInstruction)
    return host() + "accessed a row beyond " + of_rows() + ", which is row " + std::to_string(h_.first_row) +
           accesses();
  if (h_.kind == HazardKind::longer_than_buffer)
    return self("") + " is longer than " + of_rows() + ", so that rows are used more than once, " + cycles(h_);
  return self("") + " goes beyond " + of_rows() + ": " + plural(h_.rows, "row") + " from row " +
         std::to_string(h_.first_row) + " on wrap, " + cycles(h_);
}

std::string Sentence::no_effect() const {
  const Instruction& in = h_.pushed.instruction;
  if (!h_.pushed.known) return self("") + " has no effect, " + cycles(h_);
  if (in.kind() == InstructionKind::nothing)
    return self("") + " has no effect: the hardware does nothing for this opcode, " + cycles(h_);
  if (in.length == 0) return self("") + " has no effect: its length is 0, " + cycles(h_);
  return self("") +
         " applies no function: the hardware has relu and sigmoid only, and takes every other code for none, " +
         cycles(h_);
}

std::string Sentence::uneven() const {
  const auto& lanes = h_.lanes;
  const std::size_t most = static_cast<std::size_t>(std::max_element(lanes.begin(), lanes.end()) - lanes.begin());
  const unsigned second = lanes[(most + 1) % 3], third = lanes[(most + 2) % 3];
  std::string fills = std::string("the ") + kLanes[most] + " lane holds " + plural(lanes[most], "word") + ", the ";
  if (second == third) {
    fills += "others " + std::to_string(second);
  } else {
    fills += std::string(kLanes[(most + 1) % 3]) + " one " + std::to_string(second) + ", the " +
             kLanes[(most + 2) % 3] + " one " + std::to_string(third);
  }
  return "the lanes of the instruction FIFO are uneven at the end: " + fills +
         words("; the first word that waits was pushed by ", h_.other_pushed.origin, origin_) + ", " + cycles(h_);
}

std::string Sentence::spare(const char* breaks_it) const {
  std::string text = rows();
  if (h_.margin != kNoEdge) text += ", with " + plural(h_.margin, "cycle") + " to spare";
  return text + (h_.any_feed ? "; the work between takes that long however it is fed" : std::string("; ") + breaks_it);
}

/// Read after write, write after read: the order was right.
std::string Sentence::by_timing() const {
  constexpr const char* kFaster = "a host that feeds faster may break it";
  constexpr const char* kSlower = "a host that feeds slower may break it";
  switch (h_.kind) {
    case HazardKind::buffer_read_before_write:
      return self("matrix_multiply") + " read what " + other("activate") +
             " had written into the unified buffer, but no synchronize is between them" + spare(kFaster);
    case HazardKind::accumulator_read_before_write:
      return self("matrix_multiply") + " read as addend what " + other("matrix_multiply") + " had written just before" +
             spare(kFaster);
    case HazardKind::accumulator_overwritten:
      return self("activate") + " had read accumulators before " + other("matrix_multiply") + " overwrote them" +
             spare(kFaster);
    case HazardKind::weights_overrun:
      return "weights of " + self("read_weights") + " were taken by " + other("matrix_multiply") +
             " before later rows of the same transfer overwrote them" + spare(kSlower);
    case HazardKind::weights_replaced:
      return self("matrix_multiply") + " had taken its weights before the later " + other("read_weights") +
             " replaced them" + spare(kFaster);
    case HazardKind::extra_writes:
      return self("activate") + " would have written beyond its end if " + other("activate") + " had followed closely" +
             spare(kFaster);
    case HazardKind::host_read_too_early:
      return host() + "read " + host_rows("unified-buffer") + " after " + self("activate") + " had written them, " +
             unordered() + accesses();
    case HazardKind::host_write_too_early:
      return host() + "wrote " + host_rows("unified-buffer") + " after " + self("") + " was done with them, " +
             unordered() + accesses();
    default:
      return host() + "wrote " + host_rows("weight-buffer") + " after " + self("read_weights") + " had read them, " +
             unordered() + accesses();
  }
}

}  // namespace

const char* name_of(HazardKind kind) { return kNames[static_cast<unsigned>(kind)].name; }
const char* meaning_of(HazardKind kind) { return kNames[static_cast<unsigned>(kind)].meaning; }

std::string describe(const Hazard& hazard, const OriginText& origin) { return Sentence(hazard, origin).text(); }

}  // namespace vp::tinytpu
