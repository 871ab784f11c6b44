#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/common/interrupt_line.h"
#include "models/common/machine_roles.h"
#include "models/common/parameters.h"
#include "models/common/register_bank.h"
#include "models/common/target_model.h"
#include "models/irq/figures.h"

namespace vp {

class Archive;

/// Settings `plic.*`.
struct PlicConfig {
  unsigned sources = 31;  ///< interrupt numbers 1 to sources
  unsigned priority_bits = 3;
  unsigned contexts = 2;               ///< those of hart 0: PlicCore::kMachineContext, kSupervisorContext
  std::vector<unsigned> edge_sources;  ///< numbers whose gateway takes rising edges; the others take a high level

  void declare(ParameterGroup g);
};

/// Platform-level interrupt controller with the layout of `sifive,plic-1.0.0`.
///
/// Gateways: a level source requests while its line is high and no request of it is pending or in service. An edge
/// source requests with each rising edge; edges while a request is pending merge with it, edges while it is in service
/// are kept as one further request. A request stays pending until it is claimed, even if the line falls.
class PlicCore : public TargetModel {
 public:
  static constexpr std::uint64_t kWindow = 0x400'0000;
  /// Contexts of hart 0 in their order in the device tree.
  static constexpr unsigned kMachineContext = 0, kSupervisorContext = 1;

  explicit PlicCore(const PlicConfig& config);

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.read(offset, data, size, now);
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.write(offset, data, size, now);
  }
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    return bank_.debug_read(offset, data, size);
  }
  std::string describe(std::uint64_t offset) const override { return bank_.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override {
    return bank_.refusal(offset, size, write);
  }
  const RegisterBank& registers() const { return bank_; }

  /// The source's gateway takes rising edges from now on; before its line is connected.
  void set_edge(unsigned source) { sources_.at(source - 1).edge = true; }
  /// Level of a source's line. source: 1 to sources (std::out_of_range otherwise).
  void set_input(unsigned source, bool level);
  /// Told when the guest has claimed a request of the source, or has read that it is pending.
  void on_seen(unsigned source, std::function<void()> callback) { sources_.at(source - 1).seen = std::move(callback); }
  /// What the context's hart sees: high while a source it enabled is pending with a priority above its threshold.
  InterruptLine& output(unsigned context) { return contexts_.at(context).output; }

  /// What the source looks like now.
  InterruptInputs::State state(unsigned source) const {
    const Source& one = sources_.at(source - 1);
    return {one.line, one.pending, one.in_service, priority(source)};
  }
  /// See InterruptInputs.
  void on_service(std::function<void(const InterruptService&)> callback) { on_service_ = std::move(callback); }

  /// Why a request of the source would reach no context now, as the end of a sentence; empty if it would. Told of the
  /// first context that has enabled it.
  std::string masked(unsigned source) const;

  /// Registers to their reset values, nothing pending or in service; lines that are high request again.
  void reset();
  /// Requests and claims by source.
  PlicCoreFigures figures() const;
  void persist(Archive& archive);

 private:
  using Words = RegisterArray<std::uint32_t>;
  struct Source {
    bool edge = false;
    bool line = false;
    bool pending = false;
    bool in_service = false;
    bool edge_kept = false;  ///< an edge came while the source was in service
    std::uint64_t requests = 0;
    std::uint64_t claims = 0;
    std::function<void()> seen;
    void persist(Archive& archive);
  };
  struct Context {
    Context(RegisterBank& bank, unsigned number, unsigned words);
    Words enable;  // a bit for each source
    InterruptLine output;
  };

  void add_callbacks(const PlicConfig& config);
  void add_context(unsigned number);
  bool enabled(const Context& context, unsigned source) const {
    return (context.enable.values[source / 32] >> (source % 32) & 1) != 0;
  }
  std::uint32_t priority(unsigned source) const { return priority_.values[source - 1]; }
  std::uint32_t existing(unsigned word) const;
  void request(Source& source);
  std::string masked_in(std::size_t context, unsigned source) const;
  unsigned best(const Context& context) const;
  unsigned claim(unsigned context);
  void complete(unsigned context, unsigned source);
  void tell(InterruptService::Kind kind, unsigned context, unsigned source) {
    if (on_service_) on_service_({kind, context, source});
  }
  std::uint32_t pending_word(unsigned word) const;
  void tell_of_pending(unsigned word) const;
  void update_outputs();

  std::vector<Source> sources_;  // [0] is number 1
  RegisterBank bank_{4};
  Words priority_, pending_, threshold_, claim_;
  std::deque<Context> contexts_;
  std::function<void(const InterruptService&)> on_service_;
};

}  // namespace vp
