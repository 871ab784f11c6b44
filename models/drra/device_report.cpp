// What a device says about itself, and its state.
#include <algorithm>

#include "models/common/archive.h"
#include "models/common/wording.h"
#include "models/drra/core_report.h"
#include "models/drra/device.h"

namespace vp::drra {
namespace {

constexpr unsigned kCellsTold = 8;  // of those that still run

}  // namespace

Figures Device::figures() const {
  Figures figures = done_;
  if (registers_.running && fabric().cycle() > started_) figures.run.cycles += fabric().cycle() - started_;
  figures.run.account_for(held_up_by(fabric().work_cycles(), figures.run.cycles), fabric().cycle());
  figures.dma.rows_in = dma_.rows_in();
  figures.dma.rows_out = dma_.rows_out();
  figures.dma.bursts = dma_.bursts();
  return figures;
}

std::vector<vp::Finding> Device::findings(const OriginText& origin) const {
  std::vector<vp::Finding> all;
  const FindingLog& log = fabric().findings();
  for (unsigned i = 0; i < kFindingKinds; ++i) {
    const auto kind = static_cast<FindingKind>(i);
    const auto first = std::find_if(log.kept().begin(), log.kept().end(),
                                    [kind](const Finding& finding) { return finding.kind == kind; });
    if (first == log.kept().end()) continue;
    const std::uint64_t number = log.count_of(kind);
    all.push_back(
        {(number > 1 ? counted(number, "time") + ", first in " : std::string()) + drra::describe(*first) + ".",
         clock_.time_of(first->cycle)});
  }
  const auto add = [&](const Mistake& mistake, const char* thing, const std::string& before, const char* after) {
    tell(all, mistake, thing, before, after, origin);
  };
  add(starts_while_running_, "time", "START was written ", " while the fabric was running: nothing was started.");
  add(transfers_while_busy_, "time", "DMA_CONTROL was written ", " while rows were under way: nothing was started.");
  add(impossible_transfers_, "transfer", "", " named no rows, or some that the fabric does not have: it failed.");
  if (registers_.running) {
    std::string text = "The fabric was still running.";
    unsigned told = 0, left = 0;
    for (unsigned i = 0; i < fabric().cells(); ++i) {
      if (!fabric().cell(i).live) continue;
      if (told == kCellsTold) {
        ++left;
        continue;
      }
      text += (told++ == 0 ? " " : "; ") + standing(fabric().cell(i));
    }
    if (left != 0) text += "; and " + counted(left, "more cell");
    all.push_back({text, clock_.time_of(started_)});
  }
  return all;
}

std::string Device::broken_conservation() const {
  const Figures figures = this->figures();
  for (unsigned i = 0; i < fabric().cells(); ++i)
    if (!registers_.running && figures.run.cancelled == 0 &&
        fabric().cell(i).counters.instructions + fabric().cell(i).counters.wait_cycles > figures.run.cycles)
      return "a cell has spent more cycles than all runs had";
  const HeldUpBy& by = figures.run.held_up_by;
  if (by.compute + by.data + by.instructions + by.wait != figures.run.cycles)
    return "its fabric has worked for longer than its runs took";
  if (figures.dma.bursts > figures.dma.rows_in + figures.dma.rows_out && figures.dma.failed == 0 &&
      figures.dma.cancelled == 0 && !registers_.dma_busy)
    return "its DMA has sent more bursts than rows";
  return "";
}

void Device::persist(Archive& archive) {
  archive("registers", registers_.bank)("interrupt", interrupt_)("fabric", fabric_)("dma", dma_)("code", code_);
  archive.require(code_.size() == registers_.cells, "code", "has another size in this machine");
  for (const Registers::Word length : registers_.length.values)
    archive.require(length <= kInstructionWords, "LENGTH", "is out of range");
  archive("started", started_)("run_cycles", run_cycles_)("look_at", look_at_);
  archive.require(registers_.running == (look_at_ != kNever), "look_at", "does not fit the status");
  archive("transfer_started", transfer_started_)("transfer_end", transfer_end_);
  archive("transfer_result", transfer_result_, AccessResult::no_answer);
  archive("runs", done_.run.runs)("cancelled", done_.run.cancelled)("cycles", done_.run.cycles);
  archive("transfers", done_.dma.transfers)("failed", done_.dma.failed)("transfers_cancelled", done_.dma.cancelled);
  archive("dma_busy", done_.dma.busy)("starts_while_running", starts_while_running_);
  archive("transfers_while_busy", transfers_while_busy_)("impossible_transfers", impossible_transfers_);
}

}  // namespace vp::drra
