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

}  // namespace

void PlicConfig::declare(ParameterGroup g) {
  g.integer("sources", sources, 1, 1023, "", "highest interrupt number");
  g.integer("priority_bits", priority_bits, 1, 32, "bits", "width of priorities and thresholds");
}

PlicCore::Context::Context(RegisterBank& bank, unsigned number, unsigned words)
    : enable(bank,
             {"ENABLE" + std::to_string(number), kEnable + number * kEnableStride,
              "sources enabled for this context, a bit each"},
             {words}) {}

PlicCore::PlicCore(const PlicConfig& config)
    : sources_(config.sources),
      priority_(bank_, {"PRIORITY", 4, "priority of a source; 0: never interrupts"}, {config.sources, 4, 1}),
      pending_(bank_, {"PENDING", kPending, "sources that are pending, a bit each", RegisterMode::write_ignored},
               {config.sources / 32 + 1}),
      threshold_(bank_, {"THRESHOLD", kContext, "only priorities above it interrupt the context"},
                 {config.contexts, kContextStride}),
      claim_(bank_, {"CLAIM", kContext + 4, "read: claims the best source of the context; write: completes one"},
             {config.contexts, kContextStride}) {
  for (unsigned number : config.edge_sources) sources_.at(number - 1).edge = true;
  add_callbacks(config);
  for (unsigned number = 0; number < config.contexts; ++number) add_context(number);
}

void PlicCore::add_callbacks(const PlicConfig& config) {
  priority_.add_field({"PRIORITY", 0, config.priority_bits});
  priority_.on_write = [this](unsigned index, std::uint32_t value, Picoseconds&) {
    priority_.values[index] = value;
    update_outputs();
  };
  pending_.on_read = [this](unsigned word, Picoseconds&) {
    tell_of_pending(word);
    return pending_word(word);
  };
  pending_.on_peek = [this](unsigned word, Picoseconds) { return pending_word(word); };
  threshold_.add_field({"THRESHOLD", 0, config.priority_bits});
  threshold_.on_write = [this](unsigned context, std::uint32_t value, Picoseconds&) {
    threshold_.values[context] = value;
    update_outputs();
  };
  claim_.on_read = [this](unsigned context, Picoseconds&) { return claim(context); };
  claim_.on_peek = [this](unsigned context, Picoseconds) { return best(contexts_[context]); };
  claim_.on_write = [this](unsigned context, std::uint32_t value, Picoseconds&) { complete(context, value); };
}

void PlicCore::add_context(unsigned number) {
  Words& enable = contexts_.emplace_back(bank_, number, static_cast<unsigned>(sources_.size() / 32 + 1)).enable;
  enable.on_write = [this, &enable](unsigned word, std::uint32_t value, Picoseconds&) {
    enable.values[word] = value & existing(word);
    update_outputs();
  };
}

/// The bits of a word that stand for a source: not number 0, nor those above the last.
std::uint32_t PlicCore::existing(unsigned word) const {
  const std::size_t last = sources_.size();
  std::uint32_t bits = word < last / 32 || last % 32 == 31 ? ~0u : (2u << last % 32) - 1;
  if (word == 0) bits &= ~1u;
  return bits;
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
    if (!source.pending || priority(number) <= best_priority || !enabled(context, number)) continue;
    best = number;
    best_priority = priority(number);
  }
  return best;
}

unsigned PlicCore::claim(unsigned context) {
  const unsigned number = best(contexts_[context]);  // whatever the threshold
  if (number == 0) return 0;
  Source& source = sources_[number - 1];
  source.pending = false;
  source.in_service = true;
  ++source.claims;
  if (source.seen) source.seen();
  tell(InterruptService::Kind::claim, context, number);
  update_outputs();
  return number;
}

void PlicCore::complete(unsigned context, unsigned number) {
  // A number that this context has not enabled is ignored, as the specification says.
  if (number == 0 || number > sources_.size() || !enabled(contexts_[context], number)) return;
  Source& source = sources_[number - 1];
  if (!source.in_service) return;
  tell(InterruptService::Kind::complete, context, number);
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

void PlicCore::tell_of_pending(unsigned word) const {
  const std::uint32_t bits = pending_word(word);
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    if (const std::function<void()>& seen = sources_[32 * word + bit - 1].seen) seen();
  }
}

void PlicCore::update_outputs() {
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    const unsigned number = best(contexts_[i]);
    contexts_[i].output.set(number != 0 && priority(number) > threshold_.values[i]);
  }
}

std::string PlicCore::masked_in(std::size_t context, unsigned number) const {
  if (priority(number) <= threshold_.values[context])
    return "has priority " + std::to_string(priority(number)) + ", not above the threshold of " +
           std::to_string(threshold_.values[context]);
  return sources_[number - 1].in_service ? "was claimed and not completed" : "";
}

std::string PlicCore::masked(unsigned number) const {
  const Source& source = sources_.at(number - 1);
  std::string first;
  for (std::size_t context = 0; context < contexts_.size(); ++context) {
    if (!enabled(contexts_[context], number)) continue;
    const std::string why = masked_in(context, number);
    if (why.empty()) return "";
    if (first.empty()) first = why;
  }
  return (first.empty() ? "is not enabled" : first) + (source.pending ? ", and has a request pending" : "");
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
