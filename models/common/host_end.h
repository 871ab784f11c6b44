#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "models/common/console.h"
#include "models/common/machine_roles.h"

namespace vp {

/// A console's end on the host: counts what the guest does at it, and tells of it. See HostStream for the words.
class HostEnd : public Console {
 public:
  /// The simulation starts. Nothing is put or taken before.
  virtual void begin() {}
  virtual std::string address() const { return ""; }
  /// Input that is not there yet may come: the guest is not stuck for ever if it waits for it.
  virtual bool may_receive_more() const = 0;
  /// See HostStream.
  virtual void type_end() {}
  /// Writes what is buffered. Throws UserError if any output could not be written (once).
  virtual void flush() {}
  virtual void drain() {}
  /// A sentence if output could not be delivered and that is no error; else empty.
  virtual std::string lost_output() const { return ""; }

  void put(std::uint8_t byte) final {
    ++use_.sent;
    if (on_sent_) on_sent_(byte);
    send(byte);
  }
  void asked_in_vain() final {
    if (may_receive_more()) return;
    ++use_.asked_in_vain;
    if (on_asked_in_vain_) std::exchange(on_asked_in_vain_, nullptr)();
  }

  HostStream::Use use() const { return use_; }
  void on_asked_in_vain(std::function<void()> callback) { on_asked_in_vain_ = std::move(callback); }
  void on_sent(std::function<void(std::uint8_t)> callback) { on_sent_ = std::move(callback); }

 private:
  virtual void send(std::uint8_t byte) = 0;

  HostStream::Use use_;
  std::function<void()> on_asked_in_vain_;
  std::function<void(std::uint8_t)> on_sent_;
};

}  // namespace vp
