// What a client asks about the target and says about itself.
#include <algorithm>

#include "platform/gdb/description.h"
#include "platform/gdb/session.h"

namespace vp::gdb {

namespace {

constexpr const char* kThread = "1";

}  // namespace

/// "1" with any number of leading zeros, or a word for any ("0") or every thread ("-1").
bool Session::names_our_thread(const std::string& id) {
  if (id == "-1") return true;
  PayloadText text(id);
  const auto number = text.number();
  return number && text.at_end() && *number <= 1;
}

/// "g1", "c-1": for which packets, and the thread.
Session::Answer Session::select_thread(PayloadText& text) {
  const std::string id = text.rest();
  return !id.empty() && names_our_thread(id.substr(1)) ? "OK" : kMalformed;
}

Session::Answer Session::thread_alive(PayloadText& text) { return names_our_thread(text.rest()) ? "OK" : kMalformed; }

Session::Answer Session::supported(PayloadText& text) {
  text.take(':');
  while (!text.at_end()) {
    const std::string feature = text.up_to(';');
    if (feature == "swbreak+") knows_software_breaks_ = true;
    if (feature == "hwbreak+") knows_hardware_breaks_ = true;
  }
  return "PacketSize=" + plain_hex(kLongestPayload) +
         ";QStartNoAckMode+;vContSupported+;swbreak+;hwbreak+;qXfer:features:read+;qXfer:memory-map:read+;"
         "qXfer:threads:read+";
}

Session::Answer Session::without_acknowledgement(PayloadText&) {
  acknowledges_ = false;
  return "OK";
}

/// ":object:read:annex:offset,length"
Session::Answer Session::transfer(PayloadText& text) {
  text.take(':');
  const std::string object = text.up_to(':'), operation = text.up_to(':'), annex = text.up_to(':');
  if (operation != "read") return "";
  if (object == "features") return annex == "target.xml" ? part_of(target_description(target_), text) : "E00";
  if (object == "memory-map") return part_of(memory_map(target_.memory_map(), target_.xlen()), text);
  if (object == "threads") return part_of(thread_list("hart 0", target_.thread_text()), text);
  return "";
}

/// "offset,length" of a document, which ends there ('l') or goes on ('m').
std::string Session::part_of(const std::string& document, PayloadText& range) const {
  const auto offset = range.number();
  const bool comma = range.take(',');
  const auto length = range.number();
  if (!offset || !comma || !length) return kMalformed;
  if (*offset >= document.size()) return "l";
  const std::string part = document.substr(*offset, std::min<std::uint64_t>(*length, kLongestPayload / 2));
  return (*offset + part.size() == document.size() ? 'l' : 'm') + part;
}

Session::Answer Session::first_threads(PayloadText&) { return std::string("m") + kThread; }
Session::Answer Session::more_threads(PayloadText&) { return "l"; }
Session::Answer Session::current_thread(PayloadText&) { return std::string("QC") + kThread; }

Session::Answer Session::thread_text(PayloadText& text) {
  text.take(',');
  return names_our_thread(text.rest()) ? hex_of(target_.thread_text()) : kMalformed;
}

/// The client that leaves without a word leaves the machine running.
Session::Answer Session::was_attached(PayloadText&) { return "1"; }

Session::Answer Session::symbols_wanted(PayloadText&) { return "OK"; }

/// LLDB's questions of what it talks to, where GDB reads the target description alone.
std::string Session::machine_facts() const {
  const std::string bits = std::to_string(target_.xlen());
  return "triple:" + hex_of("riscv" + bits + "-unknown-elf") +
         ";endian:little;ptrsize:" + std::to_string(target_.xlen() / 8) + ";";
}

Session::Answer Session::host_facts(PayloadText&) { return machine_facts(); }
Session::Answer Session::process_facts(PayloadText&) { return "pid:1;" + machine_facts(); }

Session::Answer Session::monitor(PayloadText& text) {
  text.take(',');
  const auto command = bytes_of(text.rest());
  if (!command) return kMalformed;
  const MonitorAnswer answer = target_.monitor(*command);
  print(answer.text);
  if (!answer.restart) return "OK";
  go_on(Resumption::How::restart, Owed::ok);
  return {};
}

}  // namespace vp::gdb
