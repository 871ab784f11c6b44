#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "models/cpu/hart.h"

// Caches in timed mode. They hold tags only, the data stay in memory: a miss sends a transaction of a line's size
// through the port, so that bus and memory see it, and the bytes are read and written by host pointer.

namespace vp::cpu {

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

CacheConfig data_cache_config(const CpuConfig& config) {
  if (config.dcache.present) config.dcache.check("cpu.dcache");
  return config.dcache;
}

template <typename Word>
void Hart<Word>::make_line_tables() {
  const std::size_t entries = dcache_ ? LineLookup<Word>::entries(dcache_->config().sets(), dcache_->config().line) : 1;
  for (LineTable<Word>& table : line_tables_) {
    table.read.assign(entries, {});
    table.write.assign(entries, {});
  }
  hit_time_ = dcache_ ? dcache_->config().hit_cycles * config_.clock : 0;
}

template <typename Word>
LineLookup<Word> Hart<Word>::line_lookup(LineTable<Word>& table) {
  if (!dcache_) return {table, 1, sizeof(TlbEntry<Word>)};
  return {table, dcache_->config().sets(), dcache_->config().line};
}

/// Handlers and blocks belong to one mode, so a change begins with neither.
template <typename Word>
void Hart<Word>::enter_fidelity() {
  if (fidelity_ == wanted_fidelity_) return;
  fold_traffic();
  const std::uint64_t executed = s_.retired + trapped_;
  if (fidelity_ == Fidelity::timed)
    timed_instructions_ += executed - timed_since_;
  else
    timed_since_ = executed;
  fidelity_ = wanted_fidelity_;
  execute(nullptr, nullptr, 0);
}

/// Blocks end here, so that a block's code is in one page, or in one line.
template <typename Word>
std::uint64_t Hart<Word>::block_boundary() const {
  return fidelity_ == Fidelity::timed ? icache_.config().line : kPageSize;
}

template <typename Word>
void Hart<Word>::find_code_lines(Block& block, unsigned size) {
  block.first_line = icache_.line_of(block.pc);
  block.last_line = icache_.line_of(static_cast<Word>(block.pc + size - 1));
  const auto front = [&](const std::uint64_t& line) {
    const bool is_cached = fidelity_ == Fidelity::timed && cacheable(false, line, icache_.config().line);
    return is_cached ? icache_.front(line) : &line;
  };
  block.first_front = front(block.first_line);
  block.last_front = front(block.last_line);
}

/// Brings the block's code into the instruction cache; true if that took time. What fails to come (a target that
/// refuses a line of memory it has granted) is not fetched again at once, as the code is known already.
template <typename Word>
bool Hart<Word>::fetch(const Block& block) {
  const auto bring = [&](const std::uint64_t* front, std::uint64_t line) {
    if (*front == line || icache_.access(line, false).hit) return false;
    const auto region = cacheable(false, line, icache_.config().line);
    if (region) move_line(false, line, icache_.config().line, *region, times_.fetch_miss);
    return true;
  };
  const bool first = bring(block.first_front, block.first_line);
  const bool last = bring(block.last_front, block.last_line);
  return first || last;
}

/// The memory around a line whose bytes may be reached by host pointer, or nothing: then it is not cached.
template <typename Word>
std::optional<DmiRegion> Hart<Word>::cacheable(bool write, std::uint64_t line, unsigned size) {
  const auto covers = [&](const DmiRegion& region) { return region.first <= line && line + size - 1 <= region.last; };
  const auto usable = [&](const DmiRegion& region) { return write ? region.writable : region.readable; };
  for (const DmiRegion& region : contents_)
    if (covers(region)) return usable(region) ? std::optional<DmiRegion>(region) : std::nullopt;
  const std::uint64_t page = line & ~(kPageSize - 1);
  std::uint64_t& uncached = uncached_[page >> kPageShift & (kTlbEntries - 1)];
  if (uncached == page) return std::nullopt;
  const std::optional<DmiRegion> granted = port_.contents(line, write);
  if (!granted || !covers(*granted) || !usable(*granted)) {
    uncached = page;
    return std::nullopt;
  }
  contents_.push_back(*granted);
  return granted;
}

/// One load or store inside a line. The order of a miss: room in the write buffer, fill, write-back.
template <typename Word>
bool Hart<Word>::access_cached(bool write, Word address, std::uint8_t* data, unsigned size, const DmiRegion& region) {
  const std::uint64_t line = dcache_->line_of(address);
  const unsigned line_size = dcache_->config().line;
  drop_line_entries(address);  // the access moves another line to the front of the set
  const Cache::Outcome needs = dcache_->access(address, write);
  s_.time += hit_time_;
  times_.cache_hit += hit_time_;
  if (needs.victim != Cache::kNoLine) await_write_buffer();
  if (needs.fill && !move_line(false, line, line_size, region, write ? times_.store_miss : times_.load_miss))
    return false;
  if (needs.victim != Cache::kNoLine)
    if (const auto home = cacheable(true, needs.victim, line_size)) post_write(needs.victim, line_size, *home);
  void* const host = region.host + (address - region.first);
  std::memcpy(write ? host : data, write ? data : host, size);
  if (write) port_.written(address, size);
  if (needs.write_memory) {
    await_write_buffer();
    post_write(address, size, region);
  }
  if (*dcache_->front(address) == line) install_line(address, line);
  return true;
}

/// One transaction of the data at `address`, which are in memory already; adds its time to local time and to `cause`.
template <typename Word>
bool Hart<Word>::move_line(bool write, std::uint64_t address, unsigned size, const DmiRegion& region,
                           Picoseconds& cause) {
  port_used_ = true;
  const Picoseconds before = s_.time;
  const Answer answer = port_.transfer(access_of(write, address, region.host + (address - region.first), size));
  s_.time = answer.completion;
  cause += s_.time - before;
  return answer.ok();
}

/// There is one write buffer: a second write waits for the first.
template <typename Word>
void Hart<Word>::await_write_buffer() {
  if (write_posted_) write_buffer_free_ = port_.posted();
  write_posted_ = false;
  if (write_buffer_free_ <= s_.time) return;
  times_.write_back += write_buffer_free_ - s_.time;
  s_.time = write_buffer_free_;
}

/// Sends a write whose end the hart does not wait for, if there is a write buffer.
template <typename Word>
void Hart<Word>::post_write(std::uint64_t address, unsigned size, const DmiRegion& region) {
  port_used_ = true;
  port_.post(access_of(true, address, region.host + (address - region.first), size));
  write_posted_ = true;
  if (!dcache_->config().write_buffer) await_write_buffer();
}

/// Lets the inner loop do further accesses to a line that is in front of its set, as far as they change nothing in the
/// cache and PMP allows them for the whole line.
template <typename Word>
void Hart<Word>::install_line(Word address, std::uint64_t line) {
  const unsigned size = dcache_->config().line;
  const LineLookup<Word> lookup = line_lookup(*lines_);
  const auto install = [&](bool write, TlbEntry<Word>& entry) {
    const auto region = cacheable(write, line, size);
    if (!region || !pmp_allows(s_, data_mode(), write ? Access::kStore : Access::kLoad, line, size)) return;
    if (told_of(write, line, size)) return;
    entry.tag = static_cast<Word>(line);
    entry.addend = reinterpret_cast<std::uintptr_t>(region->host) - static_cast<std::uintptr_t>(region->first);
    entry.latency = entry.wide_latency = static_cast<std::uint32_t>(hit_time_);
  };
  install(false, lookup.read(address));
  // Stores of the inner loop tell nobody.
  if (dcache_->front_dirty(address) && !port_.watched(line, size)) install(true, lookup.write(address));
}

/// Moves an entry's counts to the cache's figures.
template <typename Word>
void Hart<Word>::fold_line(bool write, TlbEntry<Word>& entry) {
  const std::uint64_t hits = traffic::accesses(entry.traffic);
  if (hits == 0) return;
  dcache_->count_hits(write, hits);
  times_.cache_hit += hits * hit_time_;
  entry.traffic = 0;
}

template <typename Word>
void Hart<Word>::drop_line_entries(Word address) {
  for (LineTable<Word>& table : line_tables_) {
    const LineLookup<Word> lookup = line_lookup(table);
    fold_line(false, lookup.read(address));
    fold_line(true, lookup.write(address));
    lookup.read(address) = lookup.write(address) = {};
  }
}

template <typename Word>
void Hart<Word>::fold_lines(bool drop) {
  if (!dcache_) return;
  const std::size_t step = dcache_->config().line / sizeof(TlbEntry<Word>);
  for (LineTable<Word>& table : line_tables_)
    for (std::size_t i = 0; i < table.read.size(); i += step) {
      fold_line(false, table.read[i]);
      fold_line(true, table.write[i]);
      if (drop) table.read[i] = table.write[i] = {};
    }
}

/// Cold caches, nothing on its way. Dirty lines need no write-back: memory holds their data.
template <typename Word>
void Hart<Word>::empty_caches() {
  fold_lines(true);
  icache_.invalidate();
  if (dcache_) dcache_->invalidate();
  write_buffer_free_ = 0;
  write_posted_ = false;
  fetched_ = kNothingFetched;
}

template <typename Word>
CpuTimes Hart<Word>::times() {
  fold_traffic();
  CpuTimes times = times_;
  times.total = s_.time;
  const Picoseconds waited = times.idle + times.stalls();
  if (waited > times.total) throw std::logic_error("the CPU waited for longer than there was time");
  times.busy = times.total - waited;
  // Where every instruction costs the same, the busy time is known in another way, too.
  const auto& costs = config_.cycles.of_class;
  const bool uniform =
      config_.cycles.branch_taken == 0 && config_.cycles.least() == *std::max_element(costs.begin(), costs.end());
  if (uniform && times.busy != (s_.retired + trapped_) * costs[0] * config_.clock)
    throw std::logic_error("busy, waiting and sleeping times of the CPU do not add up to its time");
  return times;
}

template <typename Word>
CacheFigures Hart<Word>::cache_figures() {
  fold_traffic();
  CacheFigures figures;
  figures.fetches = timed_instructions_ + (fidelity_ == Fidelity::timed ? s_.retired + trapped_ - timed_since_ : 0);
  figures.missed_fetches = missed_fetches_;
  figures.instruction = &icache_;
  figures.data = dcache_ ? &*dcache_ : nullptr;
  return figures;
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
