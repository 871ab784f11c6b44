#include "models/axidma/registers.h"

#include "models/common/axi_port_config.h"

namespace vp::axidma {
namespace {

constexpr ChannelRegisters::Word kControl = 0x00010002;  // bit 1 always reads 1
constexpr ChannelRegisters::Word kStatus = 0x00010001;   // halted

}  // namespace

ChannelRegisters::ChannelRegisters(RegisterBank& registers, const Place& place, unsigned address_width,
                                   unsigned length_width)
    : bank(registers),
      prefix(std::string(place.channel) + "_"),
      dmacr(bank, {prefix + "DMACR", place.control, "control"}, kControl),
      dmasr(bank, {prefix + "DMASR", place.control + 4, "status"}, kStatus),
      curdesc(bank, {prefix + "CURDESC", place.control + 8, "scatter gather only", RegisterMode::write_ignored}),
      curdesc_msb(bank,
                  {prefix + "CURDESC_MSB", place.control + 12, "scatter gather only", RegisterMode::write_ignored}),
      taildesc(bank, {prefix + "TAILDESC", place.control + 16, "scatter gather only", RegisterMode::write_ignored}),
      taildesc_msb(bank,
                   {prefix + "TAILDESC_MSB", place.control + 20, "scatter gather only", RegisterMode::write_ignored}),
      address_low(bank, {prefix + place.address, place.address_offset, "address in memory, bits 31:0"}),
      address_msb(bank, {prefix + place.address + "_MSB", place.address_offset + 4, "address in memory, bits 63:32"}),
      length(bank, {prefix + "LENGTH", place.length_offset, "bytes to transfer; writing it starts"}) {
  length.write_mask = low_bits(length_width);
  address_msb.write_mask = low_bits(address_width - 32);
}

}  // namespace vp::axidma
