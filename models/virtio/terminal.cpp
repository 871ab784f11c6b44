#include "models/virtio/terminal.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/virtio/queue.h"

namespace vp::virtio {

Terminal::Terminal(const TerminalConfig&) {
  emerg_wr_.on_write = [this](std::uint32_t value, Picoseconds&) { send(static_cast<std::uint8_t>(value)); };
}

bool Terminal::ready(unsigned queue) {
  if (queue == kTransmit) return true;
  std::uint8_t byte = 0;
  if (input_.empty() && console_ != nullptr && console_->take(byte)) input_.push_back(byte);
  return !input_.empty();
}

void Terminal::begin(Queue& queue, Picoseconds now) {
  if (queue.number() == kTransmit) {
    if (queue.writable() != 0) return queue.refuse("a request to send has buffers that the device would write");
    return send_more(queue, now);
  }
  if (queue.readable() != 0) return queue.refuse("a request to receive has buffers that the device would read");
  const std::uint64_t most = std::min<std::uint64_t>(queue.writable(), Queue::kBuffer);
  std::uint8_t byte = 0;
  while (input_.size() < most && console_ != nullptr && console_->take(byte)) input_.push_back(byte);
  receiving_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, input_.size()));
  std::copy_n(input_.begin(), receiving_, queue.buffer());
  queue.store(receiving_, now);
}

void Terminal::moved(Queue& queue, Picoseconds now) {
  if (queue.number() == kReceive) {
    input_.erase(input_.begin(), input_.begin() + receiving_);
    done_.received += receiving_;
    receiving_ = 0;
    return queue.finish(now);
  }
  for (std::uint32_t i = 0; i < sending_; ++i) send(queue.buffer()[i]);
  sending_ = 0;
  send_more(queue, now);
}

void Terminal::send_more(Queue& queue, Picoseconds now) {
  sending_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(queue.readable(), Queue::kBuffer));
  if (sending_ == 0) return queue.finish(now);
  queue.fetch(sending_, now);
}

void Terminal::send(std::uint8_t byte) {
  ++done_.sent;
  if (console_ != nullptr) console_->put(byte);
}

/// Input that was on the way comes again.
void Terminal::drop(unsigned queue) { (queue == kReceive ? receiving_ : sending_) = 0; }

void Terminal::report(Statistics& group) const { write_figures(done_, group); }

void Terminal::persist(Archive& archive) {
  archive("input", input_)("receiving", receiving_)("sending", sending_);
  archive.require(receiving_ <= input_.size(), "receiving", "is out of range");
  archive.require(sending_ <= Queue::kBuffer, "sending", "is out of range");
  archive("received", done_.received)("sent", done_.sent);
}

}  // namespace vp::virtio
