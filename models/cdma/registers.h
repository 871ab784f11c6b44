#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

namespace vp::cdma {

/// The registers of the AXI CDMA by the product guide's names, in a build without scatter gather: what belongs to that
/// alone can be stored where the guide lets it, and does nothing. 32-bit accesses only.
struct Registers {
  using Word = std::uint32_t;
  using Flag = Field<Word>;

  /// btt_width and address_width: bits that BTT and the addresses have.
  Registers(unsigned btt_width, unsigned address_width);

  std::uint64_t source() const { return std::uint64_t{sa_msb.value} << 32 | sa.value; }
  std::uint64_t destination() const { return std::uint64_t{da_msb.value} << 32 | da.value; }
  /// The interrupt output, by what is pending and enabled.
  bool interrupt() const { return (ioc_irq && ioc_irq_en) || (err_irq && err_irq_en); }
  /// After one of these only a reset helps.
  bool failed() const { return dma_int_err || dma_slv_err || dma_dec_err; }

  RegisterBank bank{4};

  Register<Word> cdmacr{bank, {"CDMACR", 0x00, "control"}, 0x00010002};
  Flag tail_pntr_en{cdmacr, {"TailPntrEn", 1, 1, "tail pointer mode, always", FieldAccess::read_only}};
  Flag reset{cdmacr, {"Reset", 2, 1, "write 1: soft reset; reads 1 until it is done"}};
  Flag sg_mode{cdmacr, {"SGMode", 3, 1, "scatter gather mode, not in this build", FieldAccess::read_only}};
  Flag key_hole_read{cdmacr, {"Key Hole Read", 4, 1, "all reads go to the source address itself"}};
  Flag key_hole_write{cdmacr, {"Key Hole Write", 5, 1, "all writes go to the destination address itself"}};
  Flag cyclic_bd_enable{cdmacr, {"Cyclic BD Enable", 6, 1, "scatter gather only"}};
  Flag ioc_irq_en{cdmacr, {"IOC_IrqEn", 12, 1, "interrupt on completion"}};
  Flag dly_irq_en{cdmacr, {"Dly_IrqEn", 13, 1, "scatter gather only"}};
  Flag err_irq_en{cdmacr, {"Err_IrqEn", 14, 1, "interrupt on error"}};
  Field<Word, Word> irq_threshold{cdmacr, {"IRQThreshold", 16, 8, "scatter gather only"}};
  Field<Word, Word> irq_delay{cdmacr, {"IRQDelay", 24, 8, "scatter gather only"}};

  Register<Word> cdmasr{bank, {"CDMASR", 0x04, "status"}, 0x00010002};
  Flag idle{cdmasr, {"Idle", 1, 1, "no transfer is under way", FieldAccess::read_only}};
  Flag sg_incld{cdmasr, {"SGIncld", 3, 1, "scatter gather is in this build: no", FieldAccess::read_only}};
  Flag dma_int_err{cdmasr, {"DMAIntErr", 4, 1, "the request is impossible, such as no bytes", FieldAccess::read_only}};
  Flag dma_slv_err{cdmasr, {"DMASlvErr", 5, 1, "a target refused", FieldAccess::read_only}};
  Flag dma_dec_err{cdmasr, {"DMADecErr", 6, 1, "nothing answers at an address", FieldAccess::read_only}};
  Flag sg_int_err{cdmasr, {"SGIntErr", 8, 1, "scatter gather only", FieldAccess::read_only}};
  Flag sg_slv_err{cdmasr, {"SGSlvErr", 9, 1, "scatter gather only", FieldAccess::read_only}};
  Flag sg_dec_err{cdmasr, {"SGDecErr", 10, 1, "scatter gather only", FieldAccess::read_only}};
  Flag ioc_irq{cdmasr, {"IOC_Irq", 12, 1, "a transfer has completed", FieldAccess::write_1_to_clear}};
  Flag dly_irq{cdmasr, {"Dly_Irq", 13, 1, "scatter gather only", FieldAccess::write_1_to_clear}};
  Flag err_irq{cdmasr, {"Err_Irq", 14, 1, "a transfer has failed", FieldAccess::write_1_to_clear}};
  Field<Word, Word> irq_threshold_sts{cdmasr,
                                      {"IRQThresholdSts", 16, 8, "scatter gather only", FieldAccess::read_only}};
  Field<Word, Word> irq_delay_sts{cdmasr, {"IRQDelaySts", 24, 8, "scatter gather only", FieldAccess::read_only}};

  Register<Word> curdesc_pntr{bank, {"CURDESC_PNTR", 0x08, "scatter gather only", RegisterMode::write_ignored}};
  Register<Word> curdesc_pntr_msb{bank, {"CURDESC_PNTR_MSB", 0x0C, "scatter gather only", RegisterMode::write_ignored}};
  Register<Word> taildesc_pntr{bank, {"TAILDESC_PNTR", 0x10, "scatter gather only", RegisterMode::write_ignored}};
  Register<Word> taildesc_pntr_msb{bank,
                                   {"TAILDESC_PNTR_MSB", 0x14, "scatter gather only", RegisterMode::write_ignored}};
  Register<Word> sa{bank, {"SA", 0x18, "source address, bits 31:0"}};
  Register<Word> sa_msb{bank, {"SA_MSB", 0x1C, "source address, bits 63:32"}};
  Register<Word> da{bank, {"DA", 0x20, "destination address, bits 31:0"}};
  Register<Word> da_msb{bank, {"DA_MSB", 0x24, "destination address, bits 63:32"}};
  Register<Word> btt{bank, {"BTT", 0x28, "bytes to transfer; writing it starts"}};
};

}  // namespace vp::cdma
