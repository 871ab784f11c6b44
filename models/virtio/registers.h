#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

namespace vp::virtio {

/// The registers of the transport over MMIO, version 2, by the names of the specification (Virtual I/O Device 1.2,
/// section 4.2.2). 32-bit accesses only.
struct Registers {
  using Word = std::uint32_t;
  using Flag = Field<Word>;
  static constexpr Word kMagic = 0x74726976, kVersion = 2, kVendor = 0x50565454;  // "virt", "TTVP"
  static constexpr Word kNone = ~Word{0};

  Registers(RegisterBank& registers, Word device) : bank(registers), device_id(bank, id_place(), device) {}

  RegisterBank& bank;

  Register<Word> magic_value{bank, {"MagicValue", 0x00, "\"virt\"", RegisterMode::read_only}, kMagic};
  Register<Word> version{bank, {"Version", 0x04, "of the transport", RegisterMode::read_only}, kVersion};
  Register<Word> device_id;
  Register<Word> vendor_id{bank, {"VendorID", 0x0C, "\"TTVP\"", RegisterMode::read_only}, kVendor};
  Register<Word> device_features{bank,
                                 {"DeviceFeatures", 0x10, "32 of the device's features", RegisterMode::read_only}};
  Register<Word> device_features_sel{bank, {"DeviceFeaturesSel", 0x14, "which", RegisterMode::write_only}};
  Register<Word> driver_features{bank, {"DriverFeatures", 0x20, "32 of the driver's", RegisterMode::write_only}};
  Register<Word> driver_features_sel{bank, {"DriverFeaturesSel", 0x24, "which", RegisterMode::write_only}};
  Register<Word> queue_sel{bank, {"QueueSel", 0x30, "the queue that is meant below", RegisterMode::write_only}};
  Register<Word> queue_num_max{bank,
                               {"QueueNumMax", 0x34, "entries it may have; 0: no such queue", RegisterMode::read_only}};
  Register<Word> queue_num{bank, {"QueueNum", 0x38, "entries it has", RegisterMode::write_only}};
  Register<Word> queue_ready{bank, {"QueueReady", 0x44, "1: the device may use it"}};
  Register<Word> queue_notify{bank, {"QueueNotify", 0x50, "that queue has buffers", RegisterMode::write_only}};
  Register<Word> interrupt_status{bank, {"InterruptStatus", 0x60, "what is pending", RegisterMode::read_only}};
  Flag used_buffer{interrupt_status, {"USED_BUFFER", 0, 1, "buffers have been used", FieldAccess::read_only}};
  Flag config_change{interrupt_status, {"CONFIG_CHANGE", 1, 1, "the device has changed", FieldAccess::read_only}};
  Register<Word> interrupt_ack{bank, {"InterruptACK", 0x64, "clears pending ones", RegisterMode::write_only}};
  Register<Word> status{bank, {"Status", 0x70, "how far the driver is; writing 0 resets the device"}};
  Flag acknowledge{status, {"ACKNOWLEDGE", 0, 1, "the guest has seen the device"}};
  Flag driver{status, {"DRIVER", 1, 1, "the guest has a driver for it"}};
  Flag driver_ok{status, {"DRIVER_OK", 2, 1, "the driver is ready: the device works"}};
  Flag features_ok{status, {"FEATURES_OK", 3, 1, "both agree on the features; stays 0 if they do not"}};
  Flag needs_reset{status, {"DEVICE_NEEDS_RESET", 6, 1, "the device has given up", FieldAccess::read_only}};
  Flag failed{status, {"FAILED", 7, 1, "the driver has given up"}};
  Register<Word> queue_desc_low{bank, {"QueueDescLow", 0x80, "descriptors, bits 31:0", RegisterMode::write_only}};
  Register<Word> queue_desc_high{bank, {"QueueDescHigh", 0x84, "descriptors, bits 63:32", RegisterMode::write_only}};
  Register<Word> queue_driver_low{bank,
                                  {"QueueDriverLow", 0x90, "available ring, bits 31:0", RegisterMode::write_only}};
  Register<Word> queue_driver_high{bank,
                                   {"QueueDriverHigh", 0x94, "available ring, bits 63:32", RegisterMode::write_only}};
  Register<Word> queue_device_low{bank, {"QueueDeviceLow", 0xA0, "used ring, bits 31:0", RegisterMode::write_only}};
  Register<Word> queue_device_high{bank, {"QueueDeviceHigh", 0xA4, "used ring, bits 63:32", RegisterMode::write_only}};
  Register<Word> shm_sel{bank, {"SHMSel", 0xAC, "a region of shared memory", RegisterMode::write_only}};
  Register<Word> shm_len_low{bank, {"SHMLenLow", 0xB0, "there is none", RegisterMode::read_only}, kNone};
  Register<Word> shm_len_high{bank, {"SHMLenHigh", 0xB4, "there is none", RegisterMode::read_only}, kNone};
  Register<Word> shm_base_low{bank, {"SHMBaseLow", 0xB8, "there is none", RegisterMode::read_only}, kNone};
  Register<Word> shm_base_high{bank, {"SHMBaseHigh", 0xBC, "there is none", RegisterMode::read_only}, kNone};
  Register<Word> config_generation{
      bank, {"ConfigGeneration", 0xFC, "of the device's own registers, which never change", RegisterMode::read_only}};

 private:
  static RegisterBase::Place id_place() {
    return {"DeviceID", 0x08, "1: network, 2: block, 3: console, 4: entropy", RegisterMode::read_only};
  }
};

}  // namespace vp::virtio
