#include "models/common/archive.h"
#include "models/uart/uart_core.h"

namespace vp {

void ReceivedCharacter::persist(Archive& archive) { archive("data", data)("errors", errors); }

void UartCore::Incoming::persist(Archive& archive) {
  archive("arrival", arrival)("character", character)("from_console", from_console);
}

void UartCore::Received::persist(Archive& archive) { archive("character", character)("from_console", from_console); }

void UartCore::Outgoing::persist(Archive& archive) { archive("byte", byte)("origin", origin); }

void UartCore::persist(Archive& archive) {
  archive.same("timed", timed_)("interrupt", interrupt)("registers", bank_);
  archive("transmit", transmit_)("shift_end", shift_end_)("holding_empty_pending", holding_empty_pending_);
  archive("incoming", incoming_)("received", received_)("held", held_);
  archive("last_read", last_read_)("status_errors", status_errors_)("timeout_pending", timeout_pending_);
  archive("last_activity", last_activity_)("modem", modem_)("modem_deltas", modem_deltas_);
  archive("clear_to_send", clear_to_send_)("request_to_send", request_to_send_);
  archive("sent", sent_)("taken", taken_)("overruns", overruns_)("lost_writes", lost_writes_);
  archive("line_errors", line_errors_)("cut", cut_)("cut_byte", cut_byte_)("cut_control", cut_control_);
}

}  // namespace vp
