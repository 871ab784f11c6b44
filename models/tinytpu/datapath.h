#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/common/stop_request.h"
#include "models/tinytpu/config.h"
#include "models/tinytpu/edge.h"
#include "models/tinytpu/hazards.h"
#include "models/tinytpu/inner_product.h"
#include "models/tinytpu/row_memory.h"
#include "models/tinytpu/sequencer.h"

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
/// the units can be taken one after the other, each for the whole window and its vectors in one go: weights, products,
/// accumulators, unified buffer. Inside a unit the rows go by edge.
class Datapath {
 public:
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
    return loads_.empty() && multiplies_.empty() && activates_.empty() && activated_in_ == activated_out_;
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
    return weights_;
  }
  RowMemory& unified_buffer() {
    changed_ = next_;
    return buffer_;
  }
  const RowMemory& unified_buffer() const { return buffer_; }
  const std::uint32_t* accumulators(unsigned row) const { return &accumulators_[std::size_t{row} * columns_]; }

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

  /// Active weights of up to N vectors. Row i is copied from the preload registers i edges after row 0, so several
  /// short tiles can be under way at once.
  struct Tile {
    Edge edge;  ///< of row 0
    std::size_t matrix;
    std::uint64_t multiply;  ///< number of the instruction
    unsigned rows_copied = 0;
    bool shared = false;     ///< uses the matrix of an earlier tile, as nothing was preloaded since that one began
    bool disturbed = false;  ///< the preload registers changed while it was copied
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

  static constexpr std::size_t kNoMatrix = ~std::size_t{0};
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
  void process_window(Edge end, const HostAccess* host = nullptr, std::uint8_t* host_read = nullptr);
  void process_weights(Edge end);
  void process_products(Edge end);
  void process_accumulators(Edge end);
  void process_buffer(Edge end, const HostAccess* host, std::uint8_t* host_read);
  void retire();
  void check_indices(const Archive& archive) const;

  void preload_rows(Edge end);
  void set_preloaded(const Load& load, unsigned first, unsigned count);
  void disturb_open_tiles();
  const std::uint8_t* latched_weights(std::uint64_t load, std::uint64_t vector) const;
  void copy_tiles(Edge last);
  void copy_open_tiles(Edge last);
  void begin_tile();
  void copy_rows(Tile& tile, unsigned end);
  void watch_copies(const Tile& tile, unsigned end);
  void own_matrix(Tile& tile);
  std::size_t take_matrix();
  void release_matrix(std::size_t matrix);
  void drop_used_tiles();

  void latch_addend();
  void write_sums(std::uint64_t count);
  void read_activation();
  void write_activation(const HostAccess* host);
  void read_buffer(std::uint64_t count, const HostAccess* host);
  void host_collides(const HostAccess& host, std::uint64_t number, Edge edge);

  void add_load(const Issue& issue);
  void add_multiply(const Issue& issue);
  void add_activate(const Issue& issue);
  void add_extra_vectors(const Issue& issue);
  bool needs_latch(const Multiply& multiply, std::uint64_t vector) const;
  void find_addend();
  std::uint8_t* staged(std::uint64_t sequence) { return &staged_[sequence % staged_rows_ * padded_]; }

  const unsigned width_;
  const unsigned columns_;  ///< N padded to whole blocks
  const unsigned padded_;   ///< bytes of a staged vector
  const Edge window_;
  HazardReport& hazards_;
  InnerProduct inner_product_;

  RowMemory weights_;
  RowMemory buffer_;
  std::vector<std::uint32_t> accumulators_;

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
  MultiplyCursor product_;     ///< the product that sum_ will take; ahead of it inside a window
  MultiplyCursor sum_;         ///< accumulator written
  ActivateCursor activation_;  ///< accumulator read

  PackedWeights preloaded_;                   ///< the preload registers
  std::vector<std::uint64_t> preload_owner_;  ///< read_weights that wrote the row last
  std::vector<std::uint8_t> preload_fresh_;   ///< no multiply has copied the row yet
  std::vector<LatchedWeights> latched_;

  std::vector<PackedWeights> matrices_;
  std::vector<unsigned> matrix_users_;
  std::vector<std::size_t> free_matrices_;
  std::deque<Tile> tiles_;
  std::uint64_t first_tile_ = 0;         ///< number of tiles_.front()
  std::uint64_t next_tile_ = 0;          ///< number for the next multiply's first tile
  std::size_t first_open_tile_ = 0;      ///< index in tiles_ of the first one not copied completely
  std::uint64_t preload_version_ = 0;    ///< counts changes of the preload registers
  std::size_t kept_matrix_ = kNoMatrix;  ///< a complete copy of the preload registers ...
  std::uint64_t kept_version_ = 0;       ///< ... as of this version

  std::vector<std::uint8_t> staged_;  ///< ring of vectors between buffer read and product
  std::uint64_t staged_rows_;
  std::uint64_t staged_in_ = 0;
  std::uint64_t staged_out_ = 0;
  std::vector<std::uint32_t> products_;  ///< of the present window
  std::size_t products_used_ = 0;
  std::vector<std::uint32_t> addends_;  ///< ring of kAddends rows
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
