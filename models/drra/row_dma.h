#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/common/burst_blocks.h"
#include "models/common/clock.h"
#include "models/common/master_port.h"
#include "models/drra/register_file.h"

namespace vp {
class Archive;
}

namespace vp::drra {

constexpr unsigned kRowBytes = kBlockWords * 2;

/// Rows that are to be carried between the machine's memory and the fabric's.
struct RowTransfer {
  bool to_memory = false;
  bool is_io = false;         ///< from the output buffer, or to the input buffer; else the DiMArch memories
  std::uint64_t address = 0;  ///< in the machine's memory: rows of 32 bytes, words with the low byte first
  unsigned first_row = 0;     ///< in the fabric
  unsigned rows = 0;
  std::uint64_t pc = kNoPc;  ///< of the store that started it
  void persist(Archive& archive);
};

/// Carries rows by bursts over a port of its own: a row is read from the fabric when its burst is prepared, and in the
/// fabric when its burst has come in.
class RowDma : public MasterPort::Client {
 public:
  /// The fabric's side, at a time.
  class Rows {
   public:
    virtual ~Rows() = default;
    virtual Row row(bool is_io, unsigned number, Picoseconds now) = 0;
    virtual void set_row(bool is_io, unsigned number, const Row& row, Picoseconds now) = 0;
  };

  /// clock: of bursts; burst_rows: the longest.
  RowDma(Picoseconds clock, unsigned burst_rows, unsigned outstanding, MasterPort& port, Rows& rows);

  /// Begins; the first burst leaves at `at` or later. Nothing may be under way.
  void begin(const RowTransfer& transfer, Picoseconds at);
  /// Forgets everything; nobody is told.
  void abandon();
  bool under_way() const { return in_flight_ != 0 || left_ != 0; }
  const RowTransfer& transfer() const { return transfer_; }
  std::uint64_t rows_in() const { return rows_in_; }
  std::uint64_t rows_out() const { return rows_out_; }
  std::uint64_t bursts() const { return bursts_; }
  /// The port is loaded behind it.
  void persist(Archive& archive);

  /// Nothing is under way any more: the first result that was not ok, or ok. Called at its time.
  std::function<void(const Answer&)> on_drained;
  /// A burst has come to its end, and others are left.
  std::function<void(Picoseconds now)> on_progress;

  // MasterPort::Client
  void issued(MasterPort::Tag tag, Picoseconds time) override;
  void completed(MasterPort::Tag tag, const Answer& answer) override;
  std::uint8_t* data_of(MasterPort::Tag tag) override;

 private:
  /// Rows of a burst.
  struct Block {
    std::vector<Row> rows;  // of the longest burst
    unsigned first = 0, number = 0;
    bool free = true;
    void persist(Archive& archive);
  };

  void pump(Picoseconds now);
  void send(Picoseconds now);

  const Clock clock_;
  const unsigned burst_rows_;
  const unsigned outstanding_;
  MasterPort& port_;
  Rows& rows_;
  RowTransfer transfer_;
  Picoseconds not_before_ = 0;  // of the next burst
  unsigned left_ = 0;           // rows that have not been asked for
  unsigned in_flight_ = 0;      // bursts
  bool pumping_ = false;
  AccessResult failure_ = AccessResult::ok;  // the first of this transfer that was not ok
  BurstBlocks<Block> blocks_;
  std::uint64_t rows_in_ = 0, rows_out_ = 0, bursts_ = 0;
};

}  // namespace vp::drra
