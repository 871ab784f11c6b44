// The fabric's device in every topology, order, mode and at every quantum (tests/support/any_master.h).
#include "tests/support/any_master.h"

#include <gtest/gtest.h>

#include "models/common/tlm_initiator.h"
#include "models/common/tlm_time.h"
#include "models/drra/asm.h"
#include "models/drra/drra.h"

namespace vp {
namespace {

constexpr std::uint64_t kMemory = MasterTrial::kMemory, kOther = kMemory + MasterTrial::kSize;

/// Cells that take rows from their memories and put sums back, for ever a little longer; one that waits for a value.
const char* const kProgram =
    ".cell 0,0\nROUTE direction=r\nROUTE direction=w\nSWB src_port=0 hb_index=2 v_index=2\n"
    "SWB src_block=dpu hb_index=2 v_index=0\nDPU mode=sum_acc\nLOOP loopid=0 iter=30 endpc=end\nSRAM rw=r init_addr=0\n"
    "REFI port_no=w0 dimarch=y init_delay=4\nREFI port_no=r0 l1_iter=15 init_delay=8\n"
    "REFI port_no=w0 init_addr=16 l1_iter=15 init_delay=8\nWAIT cycle=20\nSRAM rw=w init_addr=1\n"
    "REFI port_no=r0 dimarch=y init_addr=1 init_delay=1\nend: WAIT cycle=8\nHALT\n"
    ".cell 0,1\nROUTE direction=r\nSWB src_port=0 hb_index=2 v_index=2\nSWB src_port=1 hb_index=2 v_index=3\n"
    "DPU mode=max_min\nagain: SRAM rw=r init_addr=0\nREFI port_no=w0 dimarch=y init_delay=4\n"
    "REFI port_no=r0 init_delay=7\nREFI port_no=r1 init_delay=6 init_addr=32\nWAIT cycle=6\n"
    "BRANCH mode=greater false_pc=again\nHALT\nHALT\n";

/// Drives a fabric by its registers: a run with rows brought in meanwhile, and rows carried out at its end, twice.
class DrivenDrra : public sc_core::sc_module {
 public:
  DrivenDrra(sc_core::sc_module_name module_name, Horizon& horizon)
      : sc_module(module_name), fabric("drra", horizon, {}), next_("next") {
    registers_.bind(fabric.socket);
    fabric.bind_interrupt([this](bool level) {
      if (level) next_.notify(sc_core::SC_ZERO_TIME);
    });
    SC_HAS_PROCESS(DrivenDrra);
    SC_METHOD(go_on);
    sensitive << next_;
  }

  bool done() const { return position_ > 6; }
  Drra fabric;
  std::string seen;

 private:
  enum : unsigned {
    kControl = 0x14,
    kStatus = 0x18,
    kCycles = 0x1C,
    kAddress = 0x40,
    kRow = 0x48,
    kRows = 0x4C,
    kDma = 0x50
  };

  void write(unsigned offset, std::uint32_t value) {
    Picoseconds now = kernel_time();
    registers_.write(offset, &value, 4, now);
  }
  std::uint32_t read(unsigned offset) {
    std::uint32_t value = 0;
    Picoseconds now = kernel_time();
    registers_.read(offset, &value, 4, now);
    return value;
  }
  void carry(unsigned control, std::uint64_t address, unsigned row, unsigned rows) {
    write(kAddress, static_cast<std::uint32_t>(address));
    write(kRow, row);
    write(kRows, rows);
    write(kDma, control | 1);
  }
  void load() {
    const drra::Program program = drra::assemble(kProgram, "test");
    for (const auto& [place, cell] : program.cells) {
      const unsigned number = place.first * 8 + place.second;
      for (unsigned i = 0; i < cell.words.size(); ++i) write(0x10000 + number * 256 + 4 * i, cell.words[i]);
      write(0x400 + number * 4, static_cast<std::uint32_t>(cell.words.size()));
    }
  }
  void go_on() {
    const std::uint32_t status = read(kStatus);
    write(kStatus, status);
    seen += std::to_string(position_) + ": " + std::to_string(status) + " at " + std::to_string(kernel_time()) + ", " +
            std::to_string(read(kCycles)) + " cycles, " + std::to_string(read(0x20000 + 32)) + "\n";
    switch (position_++) {
      case 0:
        load();
        write(kControl, 1 | 16 | 32);
        carry(0, kOther, 0, 1);
        break;
      case 1:
        carry(0, kMemory + 0x300, 130, 200);
        break;
      case 2:
        // Only now the second cell finds a row whose first word is greater than 0.
        write(0x400000 + 4096, 1);
        break;
      case 3:
        carry(2, kOther + 0x4000, 0, 400);
        break;
      case 4:
        // The same again, but the row comes from memory, where it has been carried.
        write(0x400000 + 4096, 0);
        write(kControl, 1 | 16 | 32);
        carry(0, kOther + 0x4000 + 4096, 128, 1);
        break;
      case 5:
        carry(2, 0x1000, 0, 2);  // finds nobody
        break;
      default:
        break;
    }
  }

  TlmInitiator registers_{"registers"};
  unsigned position_ = 0;
  sc_core::sc_event next_;
};

TEST(DrraAnywhere, does_the_same_in_every_order_and_at_every_quantum) {
  expect_same_everywhere([](MasterTrial& trial) {
    auto driven = std::make_unique<DrivenDrra>((trial.name() + "_drra").c_str(), trial.horizon());
    trial.bus().connect_initiator("master", driven->fabric.master, {64, 10'000});
    trial.keep(std::move(driven), [](const DrivenDrra& one) {
      EXPECT_TRUE(one.done()) << one.seen;
      return one.seen + one.fabric.device().broken_conservation();
    });
  });
}

}  // namespace
}  // namespace vp
