#include "platform/gdb/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vp::gdb {

namespace {

constexpr unsigned kPc = 32;
constexpr unsigned kStackPointer = 2;
/// Of text for the client's console in one packet, before it becomes hexadecimal digits.
constexpr std::size_t kLongestText = 0x400;

}  // namespace

const Session::Command* Session::find_command(const std::string& payload) {
  // Of one letter, with whatever follows it.
  static constexpr Command kLetters[] = {{"?", &Session::why_stopped},     {"g", &Session::read_registers},
                                         {"G", &Session::write_registers}, {"p", &Session::read_register},
                                         {"P", &Session::write_register},  {"m", &Session::read_memory},
                                         {"M", &Session::write_memory},    {"X", &Session::write_memory_binary},
                                         {"c", &Session::go_on_here},      {"C", &Session::go_on_with_signal},
                                         {"s", &Session::step_here},       {"S", &Session::step_with_signal},
                                         {"Z", &Session::insert_break},    {"z", &Session::remove_break},
                                         {"H", &Session::select_thread},   {"T", &Session::thread_alive},
                                         {"D", &Session::detach},          {"k", &Session::kill},
                                         {"!", &Session::extend},          {"R", &Session::restart}};
  // Of several letters, up to a separator.
  static constexpr Command kWords[] = {{"vCont", &Session::resume_actions},
                                       {"vCont?", &Session::resume_kinds},
                                       {"vKill", &Session::kill_with_answer},
                                       {"vRun", &Session::run_again},
                                       {"vAttach", &Session::attach},
                                       {"qSupported", &Session::supported},
                                       {"QStartNoAckMode", &Session::without_acknowledgement},
                                       {"qXfer", &Session::transfer},
                                       {"qfThreadInfo", &Session::first_threads},
                                       {"qsThreadInfo", &Session::more_threads},
                                       {"qThreadExtraInfo", &Session::thread_text},
                                       {"qC", &Session::current_thread},
                                       {"qAttached", &Session::was_attached},
                                       {"qSymbol", &Session::symbols_wanted},
                                       {"qHostInfo", &Session::host_facts},
                                       {"qProcessInfo", &Session::process_facts},
                                       {"qRcmd", &Session::monitor}};
  if (payload.empty()) return nullptr;
  const auto named = [](const std::string& name) {
    return [&name](const Command& command) { return name == command.name; };
  };
  if (payload[0] == 'q' || payload[0] == 'Q' || payload[0] == 'v') {
    const std::string name = payload.substr(0, payload.find_first_of(":;,"));
    const auto found = std::find_if(std::begin(kWords), std::end(kWords), named(name));
    return found == std::end(kWords) ? nullptr : found;
  }
  const std::string name = payload.substr(0, 1);
  const auto found = std::find_if(std::begin(kLetters), std::end(kLetters), named(name));
  return found == std::end(kLetters) ? nullptr : found;
}

void Session::connected() {
  disconnected();
  attached_ = true;
}

void Session::disconnected() {
  remove_breaks();
  reader_.reset();
  input_.clear();
  output_.clear();
  last_sent_.clear();
  at_ = 0;
  waiting_.reset();
  resumption_.reset();
  range_first_ = range_end_ = 0;
  attached_ = extended_ = knows_software_breaks_ = knows_hardware_breaks_ = false;
  acknowledges_ = true;
  owed_ = Owed::nothing;
}

std::optional<Received> Session::next() {
  if (waiting_) return std::exchange(waiting_, {});
  while (at_ < input_.size())
    if (auto received = reader_.put(input_[at_++])) return received;
  input_.clear();
  at_ = 0;
  return {};
}

bool Session::wants_stop() {
  while (auto received = next()) {
    if (received->kind == Received::Kind::packet || received->kind == Received::Kind::interrupt) {
      waiting_ = std::move(received);
      return true;
    }
    handle(*received);
  }
  return false;
}

std::optional<Resumption> Session::stopped(const Stop& stop) {
  stop_ = stop;
  end_reply_.clear();
  const bool between_steps = stop.signal == Signal::trap && !stop.hit && stop.diagnosis.empty();
  if (between_steps && owed_ == Owed::stop_reply && range_first_ < range_end_)
    if (const auto pc = target_.read_register(kPc); pc && *pc >= range_first_ && *pc < range_end_)
      return Resumption{Resumption::How::step};
  range_first_ = range_end_ = 0;
  if (owed_ == Owed::ok) send("OK");
  if (owed_ == Owed::stop_reply) {
    print(stop.diagnosis);
    send(stop_reply());
  }
  owed_ = Owed::nothing;
  return {};
}

void Session::ended(int exit_code) {
  const auto code = static_cast<std::uint8_t>(exit_code);
  end("W" + hex_of(&code, 1));
}

void Session::ended(Signal signal) {
  const auto number = static_cast<std::uint8_t>(signal);
  end("X" + hex_of(&number, 1));
}

void Session::end(std::string reply) {
  end_reply_ = std::move(reply);
  range_first_ = range_end_ = 0;
  if (owed_ != Owed::nothing) send(end_reply_);
  owed_ = Owed::nothing;
}

std::optional<Resumption> Session::serve() {
  while (!resumption_) {
    const auto received = next();
    if (!received) return {};
    handle(*received);
  }
  return std::exchange(resumption_, {});
}

void Session::handle(const Received& received) {
  switch (received.kind) {
    case Received::Kind::acknowledged:
      break;
    case Received::Kind::repeat:
      output_ += last_sent_;
      break;
    case Received::Kind::interrupt:
      break;  // it stands still already
    case Received::Kind::damaged:
      if (acknowledges_)
        output_ += '-';
      else
        send("E.the packet's checksum is wrong");
      break;
    case Received::Kind::too_long:
      if (acknowledges_) output_ += '+';
      send("E.the packet is too long");
      break;
    case Received::Kind::packet:
      if (acknowledges_) output_ += '+';
      attached_ = true;
      handle_packet(received.payload);
      break;
  }
}

void Session::handle_packet(const std::string& payload) {
  const Command* const command = find_command(payload);
  if (!command) return send("");
  PayloadText text(payload, std::char_traits<char>::length(command->name));
  if (const Answer answer = (this->*command->handle)(text)) send(*answer);
}

void Session::send(const std::string& payload) {
  last_sent_ = framed(payload);
  output_ += last_sent_;
}

/// Text for the person at the client.
void Session::print(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); at += kLongestText) send("O" + hex_of(text.substr(at, kLongestText)));
}

void Session::go_on(Resumption::How how, Owed owed) {
  resumption_ = Resumption{how};
  owed_ = owed;
}

std::string Session::stop_reply() const {
  if (!end_reply_.empty()) return end_reply_;
  const auto signal = static_cast<std::uint8_t>(stop_.signal);
  std::string reply = "T" + hex_of(&signal, 1);
  if (stop_.hit) switch (*stop_.hit) {
      case BreakKind::software:
        if (knows_software_breaks_) reply += "swbreak:;";
        break;
      case BreakKind::hardware:
        if (knows_hardware_breaks_) reply += "hwbreak:;";
        break;
      case BreakKind::write:
        reply += "watch:" + plain_hex(stop_.address) + ';';
        break;
      case BreakKind::read:
        reply += "rwatch:" + plain_hex(stop_.address) + ';';
        break;
      case BreakKind::access:
        reply += "awatch:" + plain_hex(stop_.address) + ';';
        break;
    }
  return reply + expedited() + "thread:1;";
}

/// What every client asks for next.
std::string Session::expedited() const {
  std::string text;
  for (const unsigned number : {kStackPointer, kPc})
    if (const TargetRegister* const reg = find_register(number)) {
      const auto index = static_cast<std::uint8_t>(number);
      text += hex_of(&index, 1) + ':' + register_bytes(*reg) + ';';
    }
  return text;
}

Session::Answer Session::why_stopped(PayloadText&) { return stop_reply(); }

Session::Answer Session::resume_at(PayloadText& text, Resumption::How how) {
  if (!end_reply_.empty()) return end_reply_;
  if (!text.at_end()) {
    const auto address = text.number();
    if (!address || !text.at_end() || !target_.write_register(kPc, *address)) return "E16";
  }
  go_on(how, Owed::stop_reply);
  return {};
}

Session::Answer Session::go_on_here(PayloadText& text) { return resume_at(text, Resumption::How::go_on); }
Session::Answer Session::step_here(PayloadText& text) { return resume_at(text, Resumption::How::step); }

// A hart takes no signals: whichever the client would pass on, the program does not see it.
Session::Answer Session::go_on_with_signal(PayloadText& text) {
  text.up_to(';');
  return go_on_here(text);
}
Session::Answer Session::step_with_signal(PayloadText& text) {
  text.up_to(';');
  return step_here(text);
}

/// "c", "C05", "s:1", "r80000000,80000010:-1", …: the first one that is for the thread counts.
Session::Answer Session::resume_actions(PayloadText& text) {
  if (!end_reply_.empty()) return end_reply_;
  if (!text.take(';')) return "E16";
  while (!text.at_end()) {
    const std::string word = text.up_to(';');
    PayloadText action(word, 1);
    const std::string what = action.up_to(':'), thread = action.rest();
    if (word.empty() || !(thread.empty() || names_our_thread(thread))) continue;
    const char kind = word[0];
    if (kind == 'c' || kind == 'C') return go_on(Resumption::How::go_on, Owed::stop_reply), Answer();
    if (kind == 'r') {
      PayloadText range(what);
      const auto first = range.number();
      const bool comma = range.take(',');
      const auto end = range.number();
      if (!first || !comma || !end) return "E16";
      range_first_ = *first;
      range_end_ = *end;
    } else if (kind != 's' && kind != 'S') {
      return "E16";
    }
    go_on(Resumption::How::step, Owed::stop_reply);
    return {};
  }
  return "E16";
}

Session::Answer Session::resume_kinds(PayloadText&) { return "vCont;c;C;s;S;r"; }

/// The machine runs on; of a run that is over or was killed, nothing is left to run.
Session::Answer Session::detach(PayloadText&) {
  remove_breaks();
  go_on(end_reply_.empty() ? Resumption::How::go_on : Resumption::How::kill, Owed::nothing);
  attached_ = false;
  return "OK";
}

Session::Answer Session::kill(PayloadText&) {
  go_on(Resumption::How::kill, Owed::nothing);
  attached_ = false;
  return {};
}

/// A client that may start the program again gets the chance to.
Session::Answer Session::kill_with_answer(PayloadText& text) {
  if (extended_)
    ended(Signal::kill);
  else
    kill(text);
  return "OK";
}

Session::Answer Session::extend(PayloadText&) {
  extended_ = true;
  return "OK";
}

Session::Answer Session::restart(PayloadText&) {
  go_on(Resumption::How::restart, Owed::nothing);
  return {};
}

/// There is one program, whatever file and arguments the client names.
Session::Answer Session::run_again(PayloadText&) {
  go_on(Resumption::How::restart, Owed::stop_reply);
  return {};
}

Session::Answer Session::attach(PayloadText&) { return stop_reply(); }

}  // namespace vp::gdb
