#pragma once

#include <cstdint>
#include <string>

#include "models/common/register_bank.h"

namespace vp::axidma {

/// The registers of one channel of the AXI DMA by the product guide's names, in a build without scatter gather: what
/// belongs to that alone can be stored where the guide lets it, and does nothing.
struct ChannelRegisters {
  using Word = std::uint32_t;
  using Flag = Field<Word>;

  struct Place {
    const char* channel;  ///< "MM2S"
    const char* address;  ///< "SA"
    unsigned control;     ///< offset of DMACR
    unsigned address_offset;
    unsigned length_offset;
  };
  ChannelRegisters(RegisterBank& registers, const Place& place, unsigned address_width, unsigned length_width);

  std::uint64_t address() const { return std::uint64_t{address_msb.value} << 32 | address_low.value; }
  /// The interrupt output, by what is pending and enabled.
  bool interrupt() const { return (ioc_irq && ioc_irq_en) || (err_irq && err_irq_en); }
  /// After one of these only a reset helps.
  bool failed() const { return dma_int_err || dma_slv_err || dma_dec_err; }

  RegisterBank& bank;
  std::string prefix;

  Register<Word> dmacr;
  Flag run_stop{dmacr, {"RS", 0, 1, "run or stop"}};
  Flag reset{dmacr, {"Reset", 2, 1, "write 1: soft reset of both channels; reads 1 until it is done"}};
  Flag keyhole{dmacr, {"Keyhole", 3, 1, "beats of a transfer go to one address: stored, without effect"}};
  Flag cyclic_bd_enable{dmacr, {"Cyclic BD Enable", 4, 1, "scatter gather only"}};
  Flag ioc_irq_en{dmacr, {"IOC_IrqEn", 12, 1, "interrupt on completion"}};
  Flag dly_irq_en{dmacr, {"Dly_IrqEn", 13, 1, "scatter gather only"}};
  Flag err_irq_en{dmacr, {"Err_IrqEn", 14, 1, "interrupt on error"}};
  Field<Word, Word> irq_threshold{dmacr, {"IRQThreshold", 16, 8, "scatter gather only"}};
  Field<Word, Word> irq_delay{dmacr, {"IRQDelay", 24, 8, "scatter gather only"}};

  Register<Word> dmasr;
  Flag halted{dmasr, {"Halted", 0, 1, "the channel stands still", FieldAccess::read_only}};
  Flag idle{dmasr, {"Idle", 1, 1, "the transfer has ended; 0 before the first one", FieldAccess::read_only}};
  Flag sg_incld{dmasr, {"SGIncld", 3, 1, "scatter gather is in this build: no", FieldAccess::read_only}};
  Flag dma_int_err{dmasr, {"DMAIntErr", 4, 1, "a packet was longer than its buffer", FieldAccess::read_only}};
  Flag dma_slv_err{dmasr, {"DMASlvErr", 5, 1, "a target refused", FieldAccess::read_only}};
  Flag dma_dec_err{dmasr, {"DMADecErr", 6, 1, "nothing answers at an address", FieldAccess::read_only}};
  Flag ioc_irq{dmasr, {"IOC_Irq", 12, 1, "a transfer has completed", FieldAccess::write_1_to_clear}};
  Flag dly_irq{dmasr, {"Dly_Irq", 13, 1, "scatter gather only", FieldAccess::write_1_to_clear}};
  Flag err_irq{dmasr, {"Err_Irq", 14, 1, "a transfer has failed", FieldAccess::write_1_to_clear}};
  Field<Word, Word> irq_threshold_sts{dmasr, {"IRQThresholdSts", 16, 8, "scatter gather only", FieldAccess::read_only}};
  Field<Word, Word> irq_delay_sts{dmasr, {"IRQDelaySts", 24, 8, "scatter gather only", FieldAccess::read_only}};

  Register<Word> curdesc, curdesc_msb, taildesc, taildesc_msb;
  Register<Word> address_low, address_msb;
  Register<Word> length;
};

}  // namespace vp::axidma
