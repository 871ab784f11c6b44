#include "models/irq/plic_core.h"

#include <stdexcept>
#include <string>

namespace vp {
namespace {

// Layout of sifive,plic-1.0.0 (RISC-V PLIC specification 1.0.0, chapter "Memory Map").
constexpr std::uint64_t kPending = 0x1000;
constexpr std::uint64_t kEnable = 0x2000;
constexpr std::uint64_t kEnableStride = 0x80;
constexpr std::uint64_t kContext = 0x20'0000;
constexpr std::uint64_t kContextStride = 0x1000;

std::string numbered(const char* name, unsigned number) { return name + std::to_string(number); }

/// Bits of a priority or threshold that exist.
std::uint32_t priority_mask(const PlicConfig& config) { return ~std::uint32_t{0} >> (32 - config.priority_bits); }

}  // namespace

void PlicConfig::declare(ParameterGroup g) {
  g.integer("sources", sources, 1, 1023, "", "highest interrupt number");
  g.integer("priority_bits", priority_bits, 1, 32, "bits", "width of priorities and thresholds");
}

PlicCore::Source::Source(RegisterBank& bank, unsigned number)
    : priority(bank, {numbered("PRIORITY", number), 4ull * number}) {}

PlicCore::Context::Context(RegisterBank& bank, unsigned number, unsigned words)
    : threshold(bank, {numbered("THRESHOLD", number), kContext + number * kContextStride}),
      claim(bank, {numbered("CLAIM", number), kContext + number * kContextStride + 4}) {
  for (unsigned word = 0; word < words; ++word)
    enable.emplace_back(bank, RegisterBase::Place{numbered("ENABLE", number) + "_" + std::to_string(word),
                                                  kEnable + number * kEnableStride + 4ull * word});
}

PlicCore::PlicCore(const PlicConfig& config) {
  add_sources(config);
  for (unsigned number = 0; number < config.contexts; ++number) add_context(number, config);
}

void PlicCore::add_sources(const PlicConfig& config) {
  for (unsigned number = 1; number <= config.sources; ++number) {
    Source& source = sources_.emplace_back(bank_, number);
    source.priority.write_mask = priority_mask(config);
    source.priority.on_write = [this, &source](std::uint32_t value, Picoseconds&) {
      source.priority.value = value;
      update_outputs();
    };
  }
  for (unsigned number : config.edge_sources) sources_.at(number - 1).edge = true;
  for (unsigned word = 0; word <= config.sources / 32; ++word) {
    Word& reg = pending_.emplace_back(
        bank_, RegisterBase::Place{numbered("PENDING", word), kPending + 4ull * word, RegisterMode::write_ignored});
    reg.on_read = [this, word](Picoseconds&) { return pending_word(word); };
    reg.on_peek = [this, word](Picoseconds) { return pending_word(word); };
  }
}

void PlicCore::add_context(unsigned number, const PlicConfig& config) {
  const unsigned words = config.sources / 32 + 1;
  Context& context = *contexts_.emplace_back(std::make_unique<Context>(bank_, number, words));
  for (unsigned word = 0; word < words; ++word) {
    Word& reg = context.enable[word];
    // Number 0 does not exist, neither do those above the last.
    const unsigned last = config.sources % 32;
    reg.write_mask = word + 1 < words || last == 31 ? ~0u : (2u << last) - 1;
    if (word == 0) reg.write_mask &= ~1u;
    reg.on_write = [this, &reg](std::uint32_t value, Picoseconds&) {
      reg.value = value;
      update_outputs();
    };
  }
  context.threshold.write_mask = priority_mask(config);
  context.threshold.on_write = [this, &context](std::uint32_t value, Picoseconds&) {
    context.threshold.value = value;
    update_outputs();
  };
  context.claim.on_read = [this, &context](Picoseconds&) { return claim(context); };
  context.claim.on_peek = [this, &context](Picoseconds) { return best(context); };
  context.claim.on_write = [this, &context](std::uint32_t value, Picoseconds&) { complete(context, value); };
}

void PlicCore::set_input(unsigned number, bool level) {
  Source& source = sources_.at(number - 1);
  const bool rising = level && !source.line;
  source.line = level;
  if (source.edge ? !rising : !level) return;
  if (source.in_service)
    source.edge_kept = source.edge;
  else
    request(source);
  update_outputs();
}

void PlicCore::request(Source& source) {
  source.requests += !source.pending;
  source.pending = true;
}

unsigned PlicCore::best(const Context& context) const {
  unsigned best = 0;
  std::uint32_t best_priority = 0;
  for (unsigned number = 1; number <= sources_.size(); ++number) {
    const Source& source = sources_[number - 1];
    // Of equal priorities the lowest number wins; priority 0 never interrupts.
    if (!source.pending || source.priority.value <= best_priority || !enabled(context, number)) continue;
    best = number;
    best_priority = source.priority.value;
  }
  return best;
}

unsigned PlicCore::claim(Context& context) {
  const unsigned number = best(context);  // whatever the threshold
  if (number == 0) return 0;
  Source& source = sources_[number - 1];
  source.pending = false;
  source.in_service = true;
  ++source.claims;
  update_outputs();
  return number;
}

void PlicCore::complete(Context& context, unsigned number) {
  // A number that this context has not enabled is ignored, as the specification says.
  if (number == 0 || number > sources_.size() || !enabled(context, number)) return;
  Source& source = sources_[number - 1];
  if (!source.in_service) return;
  source.in_service = false;
  if (source.edge ? source.edge_kept : source.line) request(source);
  source.edge_kept = false;
  update_outputs();
}

std::uint32_t PlicCore::pending_word(unsigned word) const {
  std::uint32_t bits = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned number = 32 * word + bit;
    if (number > 0 && number <= sources_.size() && sources_[number - 1].pending) bits |= 1u << bit;
  }
  return bits;
}

void PlicCore::update_outputs() {
  for (const auto& context : contexts_) {
    const unsigned number = best(*context);
    context->output.set(number != 0 && sources_[number - 1].priority.value > context->threshold.value);
  }
}

void PlicCore::reset() {
  bank_.reset();
  for (Source& source : sources_) {
    source.pending = source.in_service = source.edge_kept = false;
    if (!source.edge && source.line) request(source);
  }
  update_outputs();
}

PlicCoreFigures PlicCore::figures() const {
  PlicCoreFigures figures;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i].requests != 0)
      figures.sources.push_back({"source" + std::to_string(i + 1), {sources_[i].requests, sources_[i].claims}});
  return figures;
}

}  // namespace vp
