#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/common/stop_request.h"
#include "models/common/zeroed_array.h"
#include "models/tinytpu/config.h"
#include "models/tinytpu/edge.h"
#include "models/tinytpu/hazards.h"
#include "models/tinytpu/inner_product.h"
#include "models/tinytpu/preload_watch.h"
#include "models/tinytpu/row_memory.h"
#include "models/tinytpu/sequencer.h"
#include "models/tinytpu/tile_store.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// A host's access to the unified buffer in one cycle: both ports of the RAM are forced to its row.
struct HostAccess {
  unsigned row = 0;                      ///< below the depth
  const std::uint8_t* data = nullptr;    ///< N bytes, or nullptr for a read
  const std::uint8_t* enable = nullptr;  ///< N flags: write this byte
  Origin origin{};                       ///< who asks, for findings
};

/// The memories and the array: every row is read and written in the order of its clock edge (README, Timing),
/// whatever the order of the instructions.
///
/// It follows the sequencer at a distance and works in windows. Within a window shorter than the pipeline from the
/// unified buffer to the accumulators (N + 11 edges) nothing can travel from a buffer read to an accumulator write, so
/// the units can be taken one after the other, each for the whole window and its vectors in one go: weights,
/// accumulators with their products, unified buffer. Inside a unit the rows go by edge, several at once where they do
/// not meet. As long as no activate is under way, data go one way only: the unified buffer comes before the
/// accumulators, and windows are longer.
class Datapath {
 public:
  static constexpr unsigned kStateVersion = 3;

  Datapath(const TinyTpuConfig& config, HazardReport& hazards);

  /// An instruction left the coordinator. All its events lie behind its edge, which must not be earlier than
  /// next_edge().
  void issue(const Issue& issue);

  /// Processes all events up to and including `edge`. No instruction may issue at or before it afterwards.
  void advance_to(Edge edge);
  /// First edge not processed yet.
  Edge next_edge() const { return next_; }
  /// No instruction has any event left.
  bool idle() const {
    return loads_.empty() && multiplies_.empty() && activates_.empty() && activated_in_ == activated_out_ &&
           watch_.all_told();
  }

  /// A host access of the unified buffer in the cycle that ends at `edge`, which is processed with it; `edge` must not
  /// have been processed. `row_read`: N bytes, what the host's read port returns.
  void host_access(Edge edge, const HostAccess& access, std::uint8_t* row_read);
  /// A host write of the weight buffer at `edge` (events before it must be processed unless idle()).
  void host_write_weights(Edge edge, unsigned row, const std::uint8_t* data, const std::uint8_t* enable);
  /// Whether a read_weights has rows to read still.
  bool loading() const { return !loads_.empty(); }

  /// Reset at an edge already processed: drops all events to come, clears preload and active weights. Memories stay.
  void reset();

  /// For access without time; the contents may change.
  RowMemory& weights() {
    changed_ = next_;
    store_.all_written();
    return weights_;
  }
  const RowMemory& weights() const { return weights_; }
  RowMemory& unified_buffer() {
    changed_ = next_;
    return buffer_;
  }
  const RowMemory& unified_buffer() const { return buffer_; }
  const std::uint32_t* accumulators(unsigned row) const { return &accumulators_[row * row_words_]; }

  /// Edges that were passed over in whole periods instead of being worked off.
  std::uint64_t passed_over() const { return passed_over_; }
  void persist(Archive& archive);

  /// Once this asks for it, rows are no longer worked off: advance_to() drops what is under way, and memories stay as
  /// they are. A transfer of millions of rows would take minutes.
  void heed(const StopRequest& stop) { stop_ = &stop; }
  /// First edge whose rows were dropped, kNoEdge if none were.
  Edge given_up_at() const { return given_up_at_; }

  /// Which inner product is used.
  void use(const InnerProductVariant& variant) { inner_product_ = variant.function; }

 private:
  struct Load {
    Edge edge;
    std::uint64_t address;
    std::uint64_t length;
    bool is_signed;
    std::uint64_t number;
    void persist(Archive& archive);
  };
  struct Multiply {
    Edge edge;
    std::uint64_t buffer;
    std::uint32_t accumulator;
    std::uint64_t length;
    bool is_signed;
    bool accumulate;
    std::uint64_t number;
    std::uint64_t first_tile;  ///< number of its first tile
    std::uint64_t latched;     ///< so many vectors take their addends before something else writes these rows
    void persist(Archive& archive);
  };
  /// Neighbouring vectors of an activate: the regular ones, or the extra ones of README, Arithmetic (then edge and
  /// addresses are those of the first extra vector).
  struct Activate {
    Edge edge;
    std::uint64_t buffer;
    std::uint32_t accumulator;
    std::uint64_t length;
    unsigned code;
    bool is_signed;
    std::uint64_t number;
    void persist(Archive& archive);
  };
  /// Position of a stage in the queue of its instructions: which one, which of its vectors, and that vector's edge.
  template <typename Job>
  struct Cursor {
    const std::deque<Job>* jobs;
    unsigned delay;  ///< edges from the instruction's issue to the stage's vector 0
    std::size_t at = 0;
    std::uint64_t vector = 0;
    Edge edge = kNoEdge;

    const Job& job() const { return (*jobs)[at]; }
    /// Goes on by `count` vectors within the instruction, and on to the next one with a vector for this stage.
    void advance(std::uint64_t count) {
      vector += count;
      find();
    }
    void find() {
      while (at < jobs->size() && vector >= job().length) {
        ++at;
        vector = 0;
      }
      edge = at < jobs->size() ? job().edge + delay + vector : kNoEdge;
    }
    void clear() {
      at = 0;
      vector = 0;
      edge = kNoEdge;
    }
    void persist(Archive& archive);
  };
  using LoadCursor = Cursor<Load>;
  using MultiplyCursor = Cursor<Multiply>;
  using ActivateCursor = Cursor<Activate>;

  /// Rows of a read_weights that fill the preload registers from the first one on. A tile of a multiply copies them
  /// likewise, one row an edge: one that begins up to the chunk's first edge has all old rows, one that begins later
  /// has all new ones. So both are taken as a whole when their first row is.
  struct Chunk {
    Edge edge = 0;  ///< at which the first row is written, kPreloadWrite - kWeightRead after it has been read
    std::uint64_t address = 0;
    unsigned rows = 0;
    bool is_signed = false;
    void persist(Archive& archive);
  };
  /// Neighbouring tiles with the same weights.
  struct TileRun {
    std::uint64_t end = 0;  ///< number behind that of the last
    TileStore::Id weights = 0;
    std::uint64_t chunks = 0;  ///< that had come before them
    void persist(Archive& archive);
  };
  struct ActivatedRow {
    unsigned row;  ///< of the unified buffer
    Edge edge;     ///< of the write
    std::uint64_t number;
    void persist(Archive& archive);
  };
  struct LatchedWeights {  ///< a row on its way from weight RAM to preload registers that a host write must not change
    std::uint64_t number, vector;
    std::vector<std::uint8_t> bytes;
    void persist(Archive& archive);
  };

  static constexpr std::uint64_t kWeightRows = std::uint64_t{1} << 40;  ///< what 40 address bits reach

  /// All data on which results depend: memories, and rows under way with their edges from now. Weights are left out,
  /// which nothing but a transfer of its own changes.
  struct Contents {
    RowMemory buffer;
    std::vector<std::uint32_t> accumulators, addends;
    std::vector<std::uint8_t> staged, activated;
    std::vector<std::uint64_t> activated_rows;
    bool operator==(const Contents& other) const;
  };
  Contents contents() const;
  /// Results of the activate may come back to it through the multiply.
  bool feeds_back() const { return !activates_.empty() && !multiplies_.empty(); }

  void give_up();
  bool skip_periods(Edge last);
  std::uint64_t period() const;
  std::uint64_t edges_as_now(Edge settling) const;
  void shift(Edge edges);
  bool one_way(Edge end) const { return activated_in_ == activated_out_ && activation_.edge >= end; }
  Edge window_end(Edge last) const;
  void process_window(Edge end, const HostAccess* host = nullptr, std::uint8_t* host_read = nullptr);
  void process_weights(Edge end);
  void process_accumulators(Edge end);
  void process_buffer(Edge end, const HostAccess* host, std::uint8_t* host_read);
  void retire();
  void check_indices(const Archive& archive) const;

  void begin_chunk();
  TileStore::Id packed(const Load& load, std::uint64_t first, unsigned rows);
  const std::uint8_t* latched_weights(std::uint64_t load, std::uint64_t vector) const;
  void begin_tiles(Edge end);
  void latch_rows(unsigned row, Edge edge);
  void rewrite_row(unsigned row, Edge edge);
  TileStore::Id own_preloaded();
  TileStore::Id weights_of(std::uint64_t tile);
  void persist_tiles(Archive& archive);

  void latch_addend();
  void write_sums(std::uint64_t count);
  const std::uint32_t* addend_of(const Multiply& job, bool latched, const std::uint32_t* sums);
  void add_products(const std::uint32_t* products, std::uint32_t mask, const std::uint32_t* addend,
                    std::uint32_t* sums) const;
  void read_activations(Edge end);
  std::uint64_t rows_before_sums(std::uint64_t rows) const;
  void write_activation(const HostAccess* host);
  std::uint64_t rows_before_writes(std::uint64_t rows) const;
  void read_buffer(std::uint64_t count, const HostAccess* host);
  void host_collides(const HostAccess& host, std::uint64_t number, Edge edge);

  void add_load(const Issue& issue);
  void add_multiply(const Issue& issue);
  void add_activate(const Issue& issue);
  void add_extra_vectors(const Issue& issue);
  std::uint64_t latched_vectors(const Issue& issue) const;
  void find_addend();
  std::uint8_t* staged(std::uint64_t sequence) { return &staged_[sequence % staged_rows_ * padded_]; }

  const unsigned width_;
  const unsigned columns_;       ///< N padded to whole blocks
  const unsigned padded_;        ///< bytes of a staged vector
  const std::size_t row_words_;  ///< from accumulator row to row
  const Edge window_;
  HazardReport& hazards_;
  InnerProduct inner_product_;

  RowMemory weights_;
  RowMemory buffer_;
  ZeroedArray<std::uint32_t> accumulators_;

  Edge next_ = 0;
  std::uint64_t passed_over_ = 0;
  const StopRequest* stop_ = nullptr;  ///< not owned
  Edge given_up_at_ = kNoEdge;
  Edge changed_ = 0;  ///< latest edge at which an instruction came or went, or a host wrote
  std::deque<Load> loads_;
  std::deque<Multiply> multiplies_;
  std::deque<Activate> activates_;
  LoadCursor preload_;         ///< preload register written
  MultiplyCursor read_;        ///< unified buffer read
  MultiplyCursor tile_;        ///< row 0 of a tile copied; goes in steps of N vectors
  MultiplyCursor addend_;      ///< addend read
  MultiplyCursor sum_;         ///< accumulator written, with the product of its vector
  ActivateCursor activation_;  ///< accumulator read

  TileStore store_;
  TileStore::Id preloaded_;   ///< the preload registers, as the latest chunk leaves them
  Chunk chunk_;               ///< the latest
  std::uint64_t chunks_ = 0;  ///< so far
  PreloadWatch watch_;
  std::vector<LatchedWeights> latched_;
  std::deque<TileRun> tiles_;    ///< from that of the next sum on
  std::uint64_t next_tile_ = 0;  ///< number for the next multiply's first tile

  std::vector<std::uint8_t> staged_;  ///< ring of vectors between buffer read and sum
  std::uint64_t staged_rows_;
  std::uint64_t staged_in_ = 0;
  std::uint64_t staged_out_ = 0;
  std::vector<std::uint32_t> products_;  ///< scratch
  std::vector<std::uint32_t> addends_;   ///< ring of kAddends rows
  std::uint64_t addends_in_ = 0;
  std::uint64_t addends_out_ = 0;
  std::vector<std::uint8_t> activated_bytes_;  ///< ring of rows between accumulator read and buffer write
  std::vector<ActivatedRow> activated_;        ///< the same ring
  std::uint64_t activated_in_ = 0;
  std::uint64_t activated_out_ = 0;

  Issue last_activate_;
  bool has_activate_ = false;
};

}  // namespace vp::tinytpu
