#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "platform/gdb/packet.h"
#include "platform/gdb/target.h"

namespace vp::gdb {

/// The conversation with one client after the other in GDB's remote serial protocol, all-stop, with one thread. Without
/// transport and time: bytes come in and go out, and the machine is told how to go on. Nothing that a client sends is
/// trusted; it holds a bounded amount of it.
class Session {
 public:
  explicit Session(Target& target) : target_(target) {}

  /// Another client.
  void connected();
  /// The client is gone: what it had set is removed.
  void disconnected();
  /// Bytes of the client, in their order.
  void receive(const std::string& bytes) { input_ += bytes; }
  /// Bytes for the client since the last call.
  std::string take_output() { return std::exchange(output_, {}); }

  /// Somebody debugs: a client is there and has not detached.
  bool attached() const { return attached_; }
  /// The client may start the program again after its end.
  bool extended() const { return extended_; }

  /// The machine runs, and bytes have come: whether it has to stand still for them. Acknowledgements are used up.
  bool wants_stop();
  /// The machine stands still. The client is told if it waits for that; not if only steps of a range go on, then how.
  std::optional<Resumption> stopped(const Stop& stop);
  /// The run is over with this exit code, or by this signal.
  void ended(int exit_code);
  void ended(Signal signal);
  bool over() const { return !end_reply_.empty(); }
  /// Answers what the client asks until it makes the machine go on. Nothing: all bytes are used, more have to come.
  std::optional<Resumption> serve();

 private:
  /// Answer to what cannot be understood (EINVAL); clients only tell errors from success.
  static constexpr const char* kMalformed = "E16";

  /// Empty: not known to us, as the protocol says it. Nothing: there is no answer (yet).
  using Answer = std::optional<std::string>;
  struct Command {
    const char* name;
    Answer (Session::*handle)(PayloadText& text);
  };
  /// What the client gets when the machine stands still the next time.
  enum class Owed : std::uint8_t { nothing, stop_reply, ok };
  using Break = std::tuple<BreakKind, std::uint64_t, std::uint64_t>;

  static const Command* find_command(const std::string& payload);
  std::optional<Received> next();
  void handle(const Received& received);
  void handle_packet(const std::string& payload);
  void send(const std::string& payload);
  void print(const std::string& text);
  void end(std::string reply);
  void remove_breaks();
  void go_on(Resumption::How how, Owed owed);

  std::string stop_reply() const;
  std::string expedited() const;
  std::string register_bytes(const TargetRegister& reg) const;
  const TargetRegister* find_register(std::uint64_t number) const;
  std::string part_of(const std::string& document, PayloadText& range) const;

  // Machine: going on, its end, other starts.
  Answer why_stopped(PayloadText&);
  Answer go_on_here(PayloadText& text);
  Answer go_on_with_signal(PayloadText& text);
  Answer step_here(PayloadText& text);
  Answer step_with_signal(PayloadText& text);
  Answer resume_actions(PayloadText& text);
  Answer resume_kinds(PayloadText&);
  Answer detach(PayloadText&);
  Answer kill(PayloadText&);
  Answer kill_with_answer(PayloadText& text);
  Answer extend(PayloadText&);
  Answer restart(PayloadText&);
  Answer run_again(PayloadText&);
  Answer attach(PayloadText&);
  Answer resume_at(PayloadText& text, Resumption::How how);

  // Registers, memory, breaks.
  Answer read_registers(PayloadText&);
  Answer write_registers(PayloadText& text);
  Answer read_register(PayloadText& text);
  Answer write_register(PayloadText& text);
  Answer read_memory(PayloadText& text);
  Answer write_memory(PayloadText& text);
  Answer write_memory_binary(PayloadText& text);
  Answer write_bytes(std::uint64_t address, std::uint64_t length, const std::string& bytes);
  Answer insert_break(PayloadText& text);
  Answer remove_break(PayloadText& text);

  // Questions.
  Answer select_thread(PayloadText& text);
  Answer thread_alive(PayloadText& text);
  Answer supported(PayloadText& text);
  Answer without_acknowledgement(PayloadText&);
  Answer transfer(PayloadText& text);
  Answer first_threads(PayloadText&);
  Answer more_threads(PayloadText&);
  Answer thread_text(PayloadText& text);
  Answer current_thread(PayloadText&);
  Answer was_attached(PayloadText&);
  Answer symbols_wanted(PayloadText&);
  Answer host_facts(PayloadText&);
  Answer process_facts(PayloadText&);
  std::string machine_facts() const;
  static bool names_our_thread(const std::string& id);
  Answer monitor(PayloadText& text);

  Target& target_;
  PacketReader reader_;
  std::string input_, output_;
  std::size_t at_ = 0;               ///< of the next byte in the input
  std::optional<Received> waiting_;  ///< came while the machine ran
  std::string last_sent_;
  bool attached_ = false;
  bool acknowledges_ = true;
  bool extended_ = false;
  bool knows_software_breaks_ = false, knows_hardware_breaks_ = false;
  Owed owed_ = Owed::nothing;
  Stop stop_;
  std::string end_reply_;  ///< of a run that is over; else empty
  std::optional<Resumption> resumption_;
  std::uint64_t range_first_ = 0, range_end_ = 0;  ///< of steps that the client need not be told of
  std::set<Break> breaks_;
};

}  // namespace vp::gdb
