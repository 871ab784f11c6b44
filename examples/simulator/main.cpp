// A simulator of one's own: a tinyTPU behind a plain TLM-2.0 socket multiplies two 4 x 4 matrices.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>

#include "models/tinytpu/isa.h"
#include "models/tinytpu/memory_map.h"
#include "models/tinytpu/tinytpu.h"

using namespace vp::tinytpu;

struct Host : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Host, 64> socket{"socket"};
  sc_core::sc_event synchronized;
  const MemoryMap map;

  SC_HAS_PROCESS(Host);
  Host(sc_core::sc_module_name name, const TinyTpuConfig& config) : sc_module(name), map(config) { SC_THREAD(run); }

  std::uint32_t access(tlm::tlm_command command, std::uint64_t address, std::uint32_t word = 0) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (payload.is_response_error()) SC_REPORT_FATAL("host", payload.get_response_string().c_str());
    wait(delay);
    return word;
  }
  void push(const Instruction& instruction) {
    std::uint64_t address = map.instruction_offset();
    for (const std::uint32_t word : encode(instruction)) access(tlm::TLM_WRITE_COMMAND, address += 4, word);
  }
  std::uint64_t buffer(unsigned row) const { return map.unified_buffer_offset() + row * map.stride(); }

  void run() {  // four numbers a word, the first in the lowest byte, in sixteenths
    const std::uint32_t left[] = {0x40302010, 0x00706050, 0x10101010, 0x70000070};
    const std::uint32_t right[] = {0x00200010, 0x20001000, 0x00001010, 0x10100020};
    for (unsigned row = 0; row < 4; ++row) access(tlm::TLM_WRITE_COMMAND, row * map.stride(), right[row]);
    for (unsigned row = 0; row < 4; ++row) access(tlm::TLM_WRITE_COMMAND, buffer(row), left[row]);
    push({read_weights_opcode(true), 4, 0, 0});
    push({matrix_multiply_opcode(true, false), 4, 0, 0});
    push({activate_opcode(true, unsigned(ActivationFunction::relu)), 4, 0, 4});  // to rows 4 to 7: sums / 256
    push({kSynchronizeOpcode, 0, 0, 0});
    wait(synchronized);
    for (unsigned row = 4; row < 8; ++row) std::printf("%08x\n", access(tlm::TLM_READ_COMMAND, buffer(row)));
    std::printf("%u cycles\n", access(tlm::TLM_READ_COMMAND, map.instruction_offset()));
  }
};

int sc_main(int, char**) {
  TinyTpuConfig config;
  config.matrix_width = 4;
  vp::Horizon horizon;  // of all parts of a machine: how far a master may run ahead of the kernel
  vp::TinyTpu tpu("tpu", horizon, config);
  Host host("host", config);
  host.socket.bind(tpu.socket);
  tpu.bind_synchronize([&](bool high) { high ? host.synchronized.notify(sc_core::SC_ZERO_TIME) : void(); });
  sc_core::sc_start();
  return 0;
}
