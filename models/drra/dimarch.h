#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/drra/address_stream.h"
#include "models/drra/config.h"
#include "models/drra/findings.h"
#include "models/drra/register_file.h"

namespace vp::drra {

/// The path of a ROUTE.
struct Route {
  bool set = false;
  int tile_row = 0;  ///< 1 is next to the cells
  int tile_column = 0;
  unsigned hops = 0;
  void persist(Archive& archive);
};

/// The end of a stream of rows at a cell: what is on the way to it and what it has read lately. A row takes less than
/// kRowsUnderWay cycles on the way, in either direction.
class CellPort {
 public:
  /// A row arrives in `cycle`. Bit j of mask: word j is not to be written.
  void deliver(Cycle cycle, const Row& row, std::uint16_t mask) {
    incoming_[cycle % kRowsUnderWay] = {cycle, mask, row};
  }
  /// The register file read this row for the DiMArch.
  void take(Cycle cycle, const Row& row) { outgoing_[cycle % kRowsUnderWay] = {cycle, 0, row}; }

  struct Slot {
    Cycle cycle = kNever;
    std::uint16_t mask = 0;
    Row row{};
    void persist(Archive& archive);
  };
  /// What arrives in `cycle`: nothing shows as a row of zeros.
  const Slot& arriving(Cycle cycle) const { return at(incoming_, cycle); }
  const Slot& taken(Cycle cycle) const { return at(outgoing_, cycle); }
  void persist(Archive& archive);

 private:
  static constexpr unsigned kRowsUnderWay = 32;
  using Slots = std::array<Slot, kRowsUnderWay>;
  static const Slot& at(const Slots& slots, Cycle cycle) {
    static const Slot nothing;
    const Slot& slot = slots[cycle % kRowsUnderWay];
    return slot.cycle == cycle ? slot : nothing;
  }
  Slots incoming_, outgoing_;
};

struct Cell;
struct Instruction;

/// Told of the machine's writes, in the cycle at whose end they take effect, and of decoded instructions.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  virtual void on_register_write(Cycle /*cycle*/, unsigned /*cell*/, unsigned /*address*/, std::int16_t /*value*/) {}
  virtual void on_instruction(Cycle /*cycle*/, const Cell& /*cell*/, unsigned /*pc*/, const Instruction& /*in*/) {}
  virtual void on_tile_write(Cycle /*cycle*/, unsigned /*row*/, unsigned /*column*/, unsigned /*address*/,
                             const Row& /*value*/) {}
};

/// One SRAM or IO instruction.
struct TransferRequest {
  bool writes = false;  ///< into the memory
  bool is_io = false;
  unsigned cell = 0;
  unsigned cell_row = 0;
  Route route;  ///< of SRAM
  StreamSettings settings;
  std::uint16_t mask = 0;  ///< of IO
  unsigned pc = 0;
  void persist(Archive& archive);
};

/// The distributed memory above the cells, the IO buffers, and the streams of rows between them and the cells.
class Dimarch {
 public:
  /// What a stream did wrong, with the cell and the pc of its instruction.
  using Report = std::function<void(FindingKind, Cycle, unsigned cell, unsigned pc)>;

  Dimarch(const DrraConfig& config, Report report);
  void set_observer(CoreObserver* observer) { observer_ = observer; }
  void reset();

  /// An instruction decoded in `cycle`.
  void request(const TransferRequest& request, Cycle cycle);
  /// The cycle in which a memory will be accessed next; kNever without streams.
  Cycle next() const { return next_; }
  bool busy() const { return !transfers_.empty(); }
  /// Does a cycle; before the cells do theirs.
  void clock(Cycle cycle);

  CellPort& port(unsigned cell) { return ports_[cell]; }
  /// tile_row counts from 1, as everywhere.
  Row& tile(unsigned tile_row, unsigned column, unsigned address) {
    return tiles_[((tile_row - 1) * config_.columns + column) * kTileRows + address];
  }
  const Row& tile(unsigned tile_row, unsigned column, unsigned address) const {
    return const_cast<Dimarch*>(this)->tile(tile_row, column, address);
  }
  Row& input(unsigned row) { return input_[row]; }
  Row& output(unsigned row) { return output_[row]; }
  const Row& input(unsigned row) const { return input_[row]; }
  const Row& output(unsigned row) const { return output_[row]; }
  bool has_tile(int tile_row, int column) const {
    return tile_row >= 1 && tile_row <= static_cast<int>(config_.dimarch_rows) && column >= 0 &&
           column < static_cast<int>(config_.columns);
  }
  /// The latest cycle in which a memory or the output buffer was written; 0 before the first one.
  Cycle last_write() const { return last_write_; }
  std::uint64_t rows_read() const { return rows_read_; }
  std::uint64_t rows_written() const { return rows_written_; }
  /// Rows of all memories, in the order of tiles: tile number (tile_row - 1) * columns + column, 128 rows each.
  unsigned tile_rows() const { return static_cast<unsigned>(tiles_.size()); }
  Row& row_of_tiles(unsigned number) { return tiles_[number]; }
  const Row& row_of_tiles(unsigned number) const { return tiles_[number]; }
  /// Takes the state of another one of the same size.
  void become(const Dimarch& other);
  void persist(Archive& archive);

 private:
  /// A stream whose request has reached its memory or is on the way there.
  struct Transfer {
    TransferRequest request;
    Cycle arrival = 0;
    bool arrived = false;
    AddressStream stream;
    Cycle last_access = kNever;
    unsigned last_address = 0;

    Cycle next() const { return arrived ? stream.next() : arrival; }
    /// Both use the same generator.
    bool competes(const Transfer& other) const;
    void persist(Archive& archive);
  };

  void admit(Cycle cycle);
  void find_next();
  void access(Transfer& transfer, Cycle cycle);
  void access_tile(Transfer& transfer, Cycle cycle);
  void access_io(Transfer& transfer, Cycle cycle);
  void note_conflict(const Transfer& transfer, unsigned address, Cycle cycle);

  DrraConfig config_;
  Report report_;
  CoreObserver* observer_ = nullptr;
  std::vector<Row> tiles_;
  std::vector<Row> input_, output_;
  std::vector<CellPort> ports_;
  std::vector<Transfer> transfers_;
  Cycle next_ = kNever;
  Cycle last_write_ = 0;
  std::uint64_t rows_read_ = 0;
  std::uint64_t rows_written_ = 0;
};

}  // namespace vp::drra
