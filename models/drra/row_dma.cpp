#include "models/drra/row_dma.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp::drra {

RowDma::RowDma(Picoseconds clock, unsigned burst_rows, unsigned outstanding, MasterPort& port, Rows& rows)
    : clock_(clock),
      burst_rows_(burst_rows),
      outstanding_(outstanding),
      port_(port),
      rows_(rows),
      blocks_(Block{std::vector<Row>(burst_rows)}) {
  port_.attach(*this);
}

void RowDma::begin(const RowTransfer& transfer, Picoseconds at) {
  transfer_ = transfer;
  left_ = transfer.rows;
  not_before_ = at;
  failure_ = AccessResult::ok;
  blocks_.forget_abandoned(port_);
  pump(at);
}

void RowDma::abandon() {
  port_.abandon();
  blocks_.abandon();
  left_ = in_flight_ = 0;
}

void RowDma::issued(MasterPort::Tag, Picoseconds time) { pump(time); }

void RowDma::completed(MasterPort::Tag tag, const Answer& answer) {
  Block& block = blocks_[tag];
  block.free = true;
  --in_flight_;
  if (!answer.ok()) {
    if (failure_ == AccessResult::ok) failure_ = answer.result;
    left_ = 0;
  } else if (transfer_.to_memory) {
    rows_out_ += block.number;
  } else {
    rows_in_ += block.number;
    for (unsigned i = 0; i < block.number; ++i)
      rows_.set_row(transfer_.is_io, block.first + i, block.rows[i], answer.completion);
  }
  pump(answer.completion);
  if (under_way()) {
    on_progress(answer.completion);
    return;
  }
  Answer last = answer;
  if (failure_ != AccessResult::ok) last.result = failure_;
  on_drained(last);
}

// Sends whatever can go. The port may call back while it is asked.
void RowDma::pump(Picoseconds now) {
  if (pumping_) return;
  pumping_ = true;
  while (left_ != 0 && (in_flight_ == 0 || (in_flight_ < outstanding_ && port_.can_issue(transfer_.to_memory))))
    send(now);
  pumping_ = false;
}

/// A burst that ends where the next one begins at a multiple of its length, if rows lie at multiples of theirs.
void RowDma::send(Picoseconds now) {
  const unsigned done = transfer_.rows - left_;
  const std::uint64_t address = transfer_.address + std::uint64_t{done} * kRowBytes;
  const auto into_burst = static_cast<unsigned>(address / kRowBytes % burst_rows_);
  const MasterPort::Tag tag = blocks_.take();
  Block& block = blocks_[tag];
  block.first = transfer_.first_row + done;
  block.number = std::min(left_, burst_rows_ - into_burst);
  if (transfer_.to_memory)
    for (unsigned i = 0; i < block.number; ++i) block.rows[i] = rows_.row(transfer_.is_io, block.first + i, now);
  left_ -= block.number;
  ++in_flight_;
  ++bursts_;
  MasterPort::Transfer burst;
  burst.write = transfer_.to_memory;
  burst.address = address;
  burst.data = data_of(tag);
  burst.size = std::uint64_t{block.number} * kRowBytes;
  burst.tag = tag;
  burst.not_before = std::max(not_before_, clock_.time_of(clock_.edge_at_or_after(now)));
  burst.pc = transfer_.pc;
  port_.issue(burst);
}

std::uint8_t* RowDma::data_of(MasterPort::Tag tag) {
  return reinterpret_cast<std::uint8_t*>(blocks_.saved(tag, "a fabric's DMA").rows.data());
}

void RowTransfer::persist(Archive& archive) {
  archive("to_memory", to_memory)("is_io", is_io)("address", address)("first_row", first_row)("rows", rows)("pc", pc);
}

void RowDma::Block::persist(Archive& archive) {
  archive.fixed("rows", rows).below("number", number, rows.size() + 1)("first", first)("free", free);
}

void RowDma::persist(Archive& archive) {
  archive("transfer", transfer_)("not_before", not_before_)("left", left_)("in_flight", in_flight_);
  archive.require(left_ <= transfer_.rows, "left", "is out of range");
  blocks_.list(archive, outstanding_);
  archive("failure", failure_, AccessResult::no_answer);
  archive("rows_in", rows_in_)("rows_out", rows_out_)("bursts", bursts_);
}

}  // namespace vp::drra
