#include "models/cpu/timed_memory.h"

#include <algorithm>
#include <cstring>

#include "models/common/archive.h"
#include "models/cpu/pmp.h"

namespace vp::cpu {
namespace {

/// Without an instruction cache there is a buffer of one bus word: a cache of one line.
CacheConfig instruction_cache_config(const CpuConfig& config) {
  CacheConfig cache = config.icache;
  if (cache.present) {
    cache.check("cpu.icache");
  } else {
    cache.size = cache.line = 8;
    cache.ways = 1;
  }
  return cache;
}

}  // namespace

template <typename Word>
TimedMemory<Word>::TimedMemory(HartContext<Word>& hart, const AccessWatch& watch, CodePages& pages)
    : hart_(hart),
      s_(hart.state),
      watch_(watch),
      icache_(instruction_cache_config(hart.config)),
      pages_(pages),
      lookups_(make_lookups()),
      lines_(&lookups_[static_cast<std::size_t>(DataSpace::machine)]) {
  hit_time_ = dcache_ ? dcache_->config().hit_cycles * hart.config.clock : 0;
  uncached_.fill(kNever);
}

/// With the data cache, and with tables of the size that it asks for.
template <typename Word>
std::vector<LineLookup<Word>> TimedMemory<Word>::make_lookups() {
  const CacheConfig& config = hart_.config.dcache;
  if (config.present) {
    config.check("cpu.dcache");
    dcache_.emplace(config);
  }
  const std::uint64_t sets = dcache_ ? config.sets() : 1;
  const unsigned line = dcache_ ? config.line : sizeof(TlbEntry<Word>);
  std::vector<LineLookup<Word>> lookups;
  for (LineTable<Word>& table : line_tables_) {
    table.resize(sets, line);
    lookups.emplace_back(table, sets, line);
  }
  return lookups;
}

template <typename Word>
void TimedMemory<Word>::changing(Fidelity to) {
  if (hart_.fidelity == Fidelity::timed)
    instructions_ += hart_.executed() - since_;
  else if (to == Fidelity::timed)
    since_ = hart_.executed();
  fetched_ = kNothingFetched;  // what it was for is executed in the other mode
}

template <typename Word>
std::uint64_t TimedMemory<Word>::block_boundary() const {
  return hart_.fidelity == Fidelity::timed ? icache_.config().line : kPageSize;
}

template <typename Word>
void TimedMemory<Word>::find_code_lines(Block& block, unsigned size) {
  CodeLines& lines = block.lines();
  lines.first_line = icache_.line_of(block.physical);
  lines.last_line = icache_.line_of(block.behind == Block::kNowhere ? block.physical + size - 1 : block.behind);
  const auto front = [&](const std::uint64_t& line) {
    const bool is_cached = cacheable(false, line, icache_.config().line).has_value();
    return is_cached ? icache_.front(line) : &line;
  };
  lines.first_front = front(lines.first_line);
  lines.last_front = front(lines.last_line);
}

template <typename Word>
bool TimedMemory<Word>::fetch_in_earnest(const Block& block) {
  const bool known = fetched_ == block.physical;
  fetched_ = kNothingFetched;
  missed_fetches_ += known;  // not earlier: the run may end, or an interrupt come, before the instruction is executed
  if (known || block.fetched() || !fetch(block)) return true;
  fetched_ = block.physical;
  return false;
}

/// Brings the block's code into the instruction cache; true if that took time. What fails to come (a target that
/// refuses a line of memory it has granted) is not fetched again at once, as the code is known already.
template <typename Word>
bool TimedMemory<Word>::fetch(const Block& block) {
  const auto bring = [&](const std::uint64_t* front, std::uint64_t line) {
    if (*front == line || icache_.access(line, false).hit) return false;
    const auto region = cacheable(false, line, icache_.config().line);
    if (region) move_line(false, line, icache_.config().line, *region, hart_.times.fetch_miss);
    return true;
  };
  const CodeLines& lines = block.lines();
  const bool first = bring(lines.first_front, lines.first_line);
  const bool last = bring(lines.last_front, lines.last_line);
  return first || last;
}

/// The memory around a line whose bytes may be reached by host pointer, or nothing: then it is not cached.
template <typename Word>
std::optional<DmiRegion> TimedMemory<Word>::cacheable(bool write, std::uint64_t line, unsigned size) {
  const auto covers = [&](const DmiRegion& region) { return region.first <= line && line + size - 1 <= region.last; };
  const auto usable = [&](const DmiRegion& region) { return write ? region.writable : region.readable; };
  for (const DmiRegion& region : contents_)
    if (covers(region)) return usable(region) ? std::optional<DmiRegion>(region) : std::nullopt;
  const std::uint64_t page = line & ~(kPageSize - 1);
  std::uint64_t& uncached = uncached_[page >> kPageShift & (uncached_.size() - 1)];
  if (uncached == page) return std::nullopt;
  const std::optional<DmiRegion> granted = hart_.port.contents(line, write);
  if (!granted || !covers(*granted) || !usable(*granted)) {
    uncached = page;
    return std::nullopt;
  }
  contents_.push_back(*granted);
  return granted;
}

template <typename Word>
bool TimedMemory<Word>::access(bool write, std::uint64_t address, std::uint8_t* data, unsigned size,
                               const DmiRegion& region) {
  const std::uint64_t line = dcache_->line_of(address);
  const unsigned line_size = dcache_->config().line;
  drop_line_entries(address);  // the access moves another line to the front of the set
  const Cache::Outcome needs = dcache_->access(address, write);
  s_.time += hit_time_;
  hart_.times.cache_hit += hit_time_;
  if (needs.victim != Cache::kNoLine) await_write_buffer();
  if (needs.fill && !move_line(false, line, line_size, region, write ? hart_.times.store_miss : hart_.times.load_miss))
    return false;
  if (needs.victim != Cache::kNoLine)
    if (const auto home = cacheable(true, needs.victim, line_size)) post_write(needs.victim, line_size, *home);
  void* const host = region.host + (address - region.first);
  std::memcpy(write ? host : data, write ? data : host, size);
  if (write) {
    hart_.port.written(address, size);
    pages_.written(address);
  }
  if (needs.write_memory) {
    await_write_buffer();
    post_write(address, size, region);
  }
  return true;
}

/// One transaction of the data at `address`, which are in memory already; adds its time to local time and to `cause`.
template <typename Word>
bool TimedMemory<Word>::move_line(bool write, std::uint64_t address, unsigned size, const DmiRegion& region,
                                  Picoseconds& cause) {
  hart_.port_used = true;
  const Picoseconds before = s_.time;
  const Answer answer = hart_.port.transfer(hart_.access(write, address, region.host + (address - region.first), size));
  s_.time = answer.completion;
  cause += s_.time - before;
  return answer.ok();
}

/// There is one write buffer: a second write waits for the first.
template <typename Word>
void TimedMemory<Word>::await_write_buffer() {
  if (write_posted_) write_buffer_free_ = hart_.port.posted();
  write_posted_ = false;
  if (write_buffer_free_ <= s_.time) return;
  hart_.times.write_back += write_buffer_free_ - s_.time;
  s_.time = write_buffer_free_;
}

/// Sends a write whose end the hart does not wait for, if there is a write buffer.
template <typename Word>
void TimedMemory<Word>::post_write(std::uint64_t address, unsigned size, const DmiRegion& region) {
  hart_.port_used = true;
  hart_.port.post(hart_.access(true, address, region.host + (address - region.first), size));
  write_posted_ = true;
  if (!dcache_->config().write_buffer) await_write_buffer();
}

/// Lets the inner loop do further accesses to a line that is in front of its set, as far as they change nothing in the
/// cache and PMP allows them for the whole line.
template <typename Word>
void TimedMemory<Word>::keep_line(Word address, std::uint64_t physical, bool may_store) {
  const std::uint64_t line = dcache_->line_of(physical);
  if (*dcache_->front(physical) != line) return;
  const unsigned size = dcache_->config().line;
  const LineLookup<Word>& lookup = lines();
  const Word tag = address & ~static_cast<Word>(size - 1);
  const auto install = [&](bool write, TlbEntry<Word>& entry) {
    const auto region = cacheable(write, line, size);
    if (!region || !pmp_allows(s_, data_mode(s_), write ? Access::kStore : Access::kLoad, line, size)) return;
    if (watch_.wants(write, tag, line, size)) return;
    entry.tag = tag;
    entry.addend = reinterpret_cast<std::uintptr_t>(region->host) + (line - region->first) - std::uintptr_t{tag};
    entry.latency = entry.wide_latency = static_cast<std::uint32_t>(hit_time_);
  };
  install(false, lookup.read(address));
  // Stores of the inner loop tell nobody.
  if (may_store && dcache_->front_dirty(physical) && !hart_.port.watched(line, size))
    install(true, lookup.write(address));
}

/// Moves an entry's counts to the cache's figures.
template <typename Word>
void TimedMemory<Word>::fold_line(bool write, TlbEntry<Word>& entry) {
  const std::uint64_t hits = traffic::accesses(entry.traffic);
  if (hits == 0) return;
  dcache_->count_hits(write, hits);
  hart_.times.cache_hit += hits * hit_time_;
  entry.traffic = 0;
}

template <typename Word>
NativeMemory TimedMemory<Word>::native_memory() const {
  NativeMemory memory;
  memory.index_mask = static_cast<std::uint32_t>(lines_->index_mask());
  memory.tag_mask = static_cast<std::int32_t>(lines_->line_mask());
  memory.writes_behind = lines_->writes_behind();
  memory.read_latency = memory.write_latency = hit_time_;
  return memory;
}

template <typename Word>
void TimedMemory<Word>::count_native(std::uint64_t reads, std::uint64_t writes) {
  for (const bool write : {false, true}) {
    const std::uint64_t hits = traffic::accesses(write ? writes : reads);
    if (hits == 0) continue;
    dcache_->count_hits(write, hits);
    hart_.times.cache_hit += hits * hit_time_;
  }
}

/// The tables of these spaces, as bits, as far as they are in use.
template <typename Word>
template <typename Visit>
void TimedMemory<Word>::for_spaces(unsigned spaces, Visit visit) {
  for (unsigned rest = spaces & in_use_; rest != 0; rest &= rest - 1)
    visit(static_cast<std::size_t>(__builtin_ctz(rest)));
}

/// Those of the set of that address. Where a way is larger than a page, the entry of a page that is mapped elsewhere
/// stands at the set of its address in the program, which agrees with this one only below the page.
template <typename Word>
void TimedMemory<Word>::drop_line_entries(std::uint64_t physical) {
  const std::uint64_t way = dcache_->config().sets() * dcache_->config().line;
  const std::uint64_t first = translated_ && way > kPageSize ? physical % kPageSize : physical;
  const std::uint64_t last = translated_ && way > kPageSize ? way : physical + 1;
  for (std::uint64_t at = first; at < last; at += kPageSize)
    for_spaces(~0u, [&](std::size_t space) {
      const LineLookup<Word>& lookup = lookups_[space];
      drop_entry(false, lookup.read(static_cast<Word>(at)));
      drop_entry(true, lookup.write(static_cast<Word>(at)));
    });
}

template <typename Word>
void TimedMemory<Word>::forget_mapping(Word page) {
  if (!dcache_) return;
  const unsigned line = dcache_->config().line;
  for_spaces(kPrograms, [&](std::size_t space) {
    for (Word at = page; at - page < kPageSize; at += line)
      for (const bool write : {false, true}) {
        TlbEntry<Word>& entry = write ? lookups_[space].write(at) : lookups_[space].read(at);
        if (entry.tag == at) drop_entry(write, entry);
      }
  });
}

template <typename Word>
void TimedMemory<Word>::forget_mappings() {
  if (!dcache_) return;
  const std::size_t step = dcache_->config().line / sizeof(TlbEntry<Word>);
  for_spaces(kPrograms, [&](std::size_t space) {
    LineTable<Word>& table = line_tables_[space];
    for (std::size_t i = 0; i < table.size; i += step) {
      drop_entry(false, table.read(i));
      drop_entry(true, table.write(i));
    }
  });
  // The one in use now goes on being filled.
  in_use_ &= ~kPrograms | 1u << (lines_ - lookups_.data());
}

template <typename Word>
void TimedMemory<Word>::drop_writes(std::uint64_t page) {
  if (hart_.fidelity != Fidelity::timed || !dcache_) return;
  const auto region = cacheable(true, dcache_->line_of(page), dcache_->config().line);
  if (!region) return;
  const std::uintptr_t host = reinterpret_cast<std::uintptr_t>(region->host) + (page - region->first);
  const std::size_t step = dcache_->config().line / sizeof(TlbEntry<Word>);
  for_spaces(~0u, [&](std::size_t space) {
    LineTable<Word>& table = line_tables_[space];
    for (std::size_t i = 0; i < table.size; i += step) {
      TlbEntry<Word>& entry = table.write(i);
      if (entry.tag != TlbEntry<Word>::kInvalid && entry.addend + entry.tag - host < kPageSize) drop_entry(true, entry);
    }
  });
}

template <typename Word>
void TimedMemory<Word>::fold(bool drop) {
  if (!dcache_) return;
  const std::size_t step = dcache_->config().line / sizeof(TlbEntry<Word>);
  for_spaces(~0u, [&](std::size_t space) {
    LineTable<Word>& table = line_tables_[space];
    for (std::size_t i = 0; i < table.size; i += step) {
      fold_line(false, table.read(i));
      fold_line(true, table.write(i));
      if (drop) table.read(i) = table.write(i) = {};
    }
  });
}

template <typename Word>
void TimedMemory<Word>::empty() {
  fold(true);
  icache_.invalidate();
  if (dcache_) dcache_->invalidate();
  write_buffer_free_ = 0;
  write_posted_ = false;
  fetched_ = kNothingFetched;
}

template <typename Word>
bool TimedMemory<Word>::invalidate_direct(std::uint64_t first, std::uint64_t last) {
  uncached_.fill(kNever);
  const auto touched = [&](const DmiRegion& region) { return region.first <= last && first <= region.last; };
  const auto gone = std::remove_if(contents_.begin(), contents_.end(), touched);
  const bool any = gone != contents_.end();
  contents_.erase(gone, contents_.end());
  return any;
}

template <typename Word>
void TimedMemory<Word>::forget() {
  uncached_.fill(kNever);
  contents_.clear();
}

template <typename Word>
CacheFigures TimedMemory<Word>::figures() const {
  CacheFigures figures;
  figures.fetches = instructions_ + (hart_.fidelity == Fidelity::timed ? hart_.executed() - since_ : 0);
  figures.missed_fetches = missed_fetches_;
  figures.instruction = &icache_;
  figures.data = dcache_ ? &*dcache_ : nullptr;
  return figures;
}

template <typename Word>
void TimedMemory<Word>::persist_caches(Archive& archive) {
  archive("icache", icache_).same("has_dcache", dcache_.has_value());
  if (dcache_) archive("dcache", *dcache_);
}

template <typename Word>
void TimedMemory<Word>::persist_write_buffer(Archive& archive) {
  archive("write_buffer_free", write_buffer_free_)("write_posted", write_posted_)("fetched", fetched_);
}

template <typename Word>
void TimedMemory<Word>::persist_counts(Archive& archive) {
  archive("missed_fetches", missed_fetches_)("timed_instructions", instructions_)("timed_since", since_);
}

template class TimedMemory<std::uint32_t>;
template class TimedMemory<std::uint64_t>;

}  // namespace vp::cpu
