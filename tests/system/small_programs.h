#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/platform/elf_builder.h"

namespace vp {

/// An ELF program at the start of DRAM0 from instruction words, with the symbol "start".
inline std::string program_of(const std::vector<std::uint32_t>& words, std::uint64_t base = 0x8000'0000) {
  ElfBuilder<64> builder(base);
  const std::string code(reinterpret_cast<const char*>(words.data()), 4 * words.size());
  builder.add_segment(base, code, code.size());
  builder.segments.back().p_flags = PF_R | PF_X;
  builder.section_base = base;
  builder.section_size = code.size();
  builder.add_symbol("start", base, code.size());
  return builder.build();
}

/// Stores behind its code, then over and over into its code.
inline std::string self_modifying_program() {
  return program_of({
      0x00000297,  //       auipc t0,0
      0x0002a303,  //       lw    t1,0(t0)
      0x1062a023,  //       sw    t1,256(t0)   same page
      0x00000013,  // loop: nop                at 0xc
      0x0062ae23,  //       sw    t1,28(t0)
      0x1062a023,  //       sw    t1,256(t0)
      0xff5ff06f,  //       j     loop
      0x00000013,  //       nop                at 0x1c
  });
}

/// Ends the run with success.
inline std::string ending_program() { return program_of({0x00005337, 0x55530313, 0x001002b7, 0x0062a023, 0x0000006f}); }

/// Loops for ever.
inline std::string spinning_program() { return program_of({0x0000006f}); }  // j .

/// Writes a text to the first UART and ends the run with success.
inline std::string printing_program(const std::string& text) {
  std::vector<std::uint32_t> words = {
      0x100002b7,  //       lui   t0,0x10000
      0x00000317,  //       auipc t1,0
      0x03030313,  //       addi  t1,t1,48
      0x00034383,  // loop: lbu   t2,0(t1)
      0x00038863,  //       beqz  t2,done
      0x00728023,  //       sb    t2,0(t0)
      0x00130313,  //       addi  t1,t1,1
      0xff1ff06f,  //       j     loop
      0x001002b7,  // done: lui   t0,0x100
      0x00005337,  //       lui   t1,0x5
      0x55530313,  //       addi  t1,t1,0x555
      0x0062a023,  //       sw    t1,0(t0)
      0x0000006f,  //       j     .
  };
  for (std::size_t i = 0; i <= text.size(); i += 4) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4 && i + k < text.size(); ++k)
      word |= std::uint32_t{static_cast<unsigned char>(text[i + k])} << (8 * k);
    words.push_back(word);
  }
  return program_of(words);
}

/// Reports 42 as the figure of that name (register METRIC of the finisher) and ends the run with success.
inline std::string metric_program(const std::string& name) {
  std::vector<std::uint32_t> words = {
      0x001002b7,  // lui   t0,0x100
      0x02a00313,  // li    t1,42
      0x1262a023,  // sw    t1,0x120(t0)
      0x00000317,  // auipc t1,0           at 0x0c
      0x02030313,  // addi  t1,t1,32
      0x1262a223,  // sw    t1,0x124(t0)
      0x00005337,  // lui   t1,0x5
      0x55530313,  // addi  t1,t1,0x555
      0x0062a023,  // sw    t1,0(t0)
      0x0000006f,  // j     .
      0x00000013,  // nop
  };
  for (std::size_t i = 0; i <= name.size(); i += 4) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4 && i + k < name.size(); ++k)
      word |= std::uint32_t{static_cast<unsigned char>(name[i + k])} << (8 * k);
    words.push_back(word);
  }
  return program_of(words);
}

/// Sleeps, and no interrupt is enabled.
inline std::string sleeping_program() { return program_of({0x10500073, 0xffdff06f}); }  // wfi; j .-4

/// Loads from an address where nothing is, without a trap handler.
inline std::string stray_program() {
  return program_of({0x430002b7, 0x0042a303});  // lui t0,0x43000; lw t1,4(t0)
}

/// Meets an illegal instruction while its trap handler's address is 0, where nothing is.
inline std::string lost_handler_program() {
  return program_of({0x30501073, 0x00000000});  // csrw mtvec,zero; illegal
}

/// Meets an illegal instruction, and its trap handler saves a register where nothing is, further down each time.
inline std::string overflowing_program() {
  return program_of({
      0x00000297,  //       auipc t0,0
      0x01428293,  //       addi  t0,t0,20
      0x30529073,  //       csrw  mtvec,t0
      0x43000137,  //       lui   sp,0x43000
      0x00000000,  //       illegal
      0xf0010113,  // trap: addi  sp,sp,-256   at 0x14
      0x00513423,  //       sd    t0,8(sp)
      0x30200073,  //       mret
  });
}

/// Makes environment calls from one place in a loop; the handler in front of it returns behind each.
inline std::string calling_program() {
  return program_of({
      0x00000297,  //       auipc t0,0
      0x01428293,  //       addi  t0,t0,20
      0x30529073,  //       csrw  mtvec,t0
      0x0180006f,  //       j     loop
      0x00000013,  //       nop
      0x34102373,  // trap: csrr  t1,mepc      at 0x14
      0x00430313,  //       addi  t1,t1,4
      0x34131073,  //       csrw  mepc,t1
      0x30200073,  //       mret
      0x00000073,  // loop: ecall              at 0x24
      0xffdff06f,  //       j     loop
  });
}

/// Loads one byte of the CLINT's MTIME, which must be read whole or by halves.
inline std::string byte_of_mtime_program() {
  return program_of({0x0200c2b7, 0xff828303});  // lui t0,0x200c; lb t1,-8(t0)
}

/// Calls an address where nothing is.
inline std::string wild_call_program() {
  return program_of({0x440002b7, 0x000280e7});  // lui t0,0x44000; jalr t0
}

/// Loads a word at `offset` of a device.
inline std::string unaligned_program(std::uint32_t device, std::uint32_t offset) {
  return program_of({device | 0x2b7, offset << 20 | 0x0002a303});  // lui t0,device; lw t1,offset(t0)
}

/// Locks itself out of the CLINT by entry 2 of PMP and reads there.
inline std::string locked_out_program() {
  return program_of({
      0x008002b7,  // lui  t0,0x800        0x02000000 / 4
      0x3b129073,  // csrw pmpaddr1,t0
      0x008042b7,  // lui  t0,0x804        0x02010000 / 4
      0x3b229073,  // csrw pmpaddr2,t0
      0x008802b7,  // lui  t0,0x880        entry 2: locked, top of range, no rights
      0x3a029073,  // csrw pmpcfg0,t0
      0x020002b7,  // lui  t0,0x2000
      0x0002a303,  // lw   t1,0(t0)
  });
}

/// Starts a copy of the CDMA at 0x4e200000 from where nothing is, waits, then ends with success.
inline std::string stray_copy_program() {
  return program_of({
      0x4e2002b7,  //       lui  t0,0x4e200
      0x44000337,  //       lui  t1,0x44000
      0x0062ac23,  //       sw   t1,0x18(t0)  SA
      0x0252a023,  //       sw   t0,0x20(t0)  DA: never written to
      0x04000313,  //       li   t1,64
      0x0262a423,  //       sw   t1,0x28(t0)  BTT
      0x3e800313,  //       li   t1,1000
      0xfff30313,  // loop: addi t1,t1,-1
      0xfe031ee3,  //       bnez t1,loop
      0x001002b7,  //       lui  t0,0x100     finisher
      0x00005337,  //       lui  t1,0x5
      0x55530313,  //       addi t1,t1,0x555  pass
      0x0062a023,  //       sw   t1,0(t0)
      0x0000006f,  //       j    .
  });
}

/// Pushes two long activates, of which the second takes the place of the first's last rows, waits, and ends with
/// success.
inline std::string crowding_activates_program() {
  return program_of({
      0x43c902b7,  //       lui  t0,0x43c90
      0x00010337,  //       lui  t1,0x10
      0xf9130313,  //       addi t1,t1,-0x6f  0xff91: activate.s.relu, 255 rows
      0x0062a223,  //       sw   t1,4(t0)
      0x0002a423,  //       sw   zero,8(t0)
      0x0002a623,  //       sw   zero,12(t0)
      0x0062a223,  //       sw   t1,4(t0)
      0x0002a423,  //       sw   zero,8(t0)
      0x0002a623,  //       sw   zero,12(t0)
      0x3e800313,  //       li   t1,1000
      0xfff30313,  // loop: addi t1,t1,-1
      0xfe031ee3,  //       bnez t1,loop
      0x001002b7,  //       lui  t0,0x100     finisher
      0x00005337,  //       lui  t1,0x5
      0x55530313,  //       addi t1,t1,0x555  pass
      0x0062a023,  //       sw   t1,0(t0)
      0x0000006f,  //       j    .
  });
}

/// Starts a tinyTPU program with a synchronize, waits long enough, and reads a row of its results; before that it may
/// look whether the interrupt is pending.
inline std::string result_reading_program(bool looks) {
  return program_of({
      0x43c902b7,                        //       lui  t0,0x43c90
      0x19100313,                        //       li   t1,0x191      activate.s.relu, 1 row
      0x0062a223,                        //       sw   t1,4(t0)
      0x0002a423,                        //       sw   zero,8(t0)
      0x0002a623,                        //       sw   zero,12(t0)
      0x0ff00313,                        //       li   t1,0xff       synchronize
      0x0062a223,                        //       sw   t1,4(t0)
      0x0002a423,                        //       sw   zero,8(t0)
      0x0002a623,                        //       sw   zero,12(t0)
      0x3e800313,                        //       li   t1,1000
      0xfff30313,                        // loop: addi t1,t1,-1
      0xfe031ee3,                        //       bnez t1,loop
      0x0c0013b7,                        //       lui  t2,0xc001     the PLIC's PENDING
      looks ? 0x0003ae03u : 0x00000013,  //       lw   t3,0(t2)      or nop
      0x43c803b7,                        //       lui  t2,0x43c80    unified buffer
      0x0003ae03,                        //       lw   t3,0(t2)
      0x001002b7,                        //       lui  t0,0x100      finisher
      0x00005337,                        //       lui  t1,0x5
      0x55530313,                        //       addi t1,t1,0x555   pass
      0x0062a023,                        //       sw   t1,0(t0)
      0x0000006f,                        //       j    .
  });
}

/// Pushes an activate and a synchronize whose interrupt a handler takes and notes in memory, waits for long, and reads
/// the result; `asks`: it reads the note before that.
inline std::string interrupted_program(bool asks) {
  return program_of({
      0x00000297,                        //       auipc t0,0
      0x08828293,                        //       addi t0,t0,handler
      0x30529073,                        //       csrw mtvec,t0
      0x0c0002b7,                        //       lui  t0,0xc000     the PLIC: priority, enable
      0x00100313,                        //       li   t1,1
      0x0062a223,                        //       sw   t1,4(t0)
      0x0c0023b7,                        //       lui  t2,0xc002
      0x00200313,                        //       li   t1,2
      0x0063a023,                        //       sw   t1,0(t2)
      0x00001417,                        //       auipc s0,1         the note
      0x00001337,                        //       lui  t1,1
      0x80030313,                        //       addi t1,t1,-2048
      0x30432073,                        //       csrs mie,t1
      0x30046073,                        //       csrsi mstatus,8
      0x43c902b7,                        //       lui  t0,0x43c90
      0x19100313,                        //       li   t1,0x191      activate.s.relu, 1 row
      0x0062a223,                        //       sw   t1,4(t0)
      0x0002a423,                        //       sw   zero,8(t0)
      0x0002a623,                        //       sw   zero,12(t0)
      0x0ff00313,                        //       li   t1,0xff       synchronize
      0x0062a223,                        //       sw   t1,4(t0)
      0x0002a423,                        //       sw   zero,8(t0)
      0x0002a623,                        //       sw   zero,12(t0)
      0x3e800313,                        //       li   t1,1000
      0xfff30313,                        // loop: addi t1,t1,-1
      0xfe031ee3,                        //       bnez t1,loop
      asks ? 0x00042e03u : 0x00000013u,  //       lw   t3,0(s0)      or nop
      0x43c803b7,                        //       lui  t2,0x43c80    unified buffer
      0x0003ae03,                        //       lw   t3,0(t2)
      0x001002b7,                        //       lui  t0,0x100      finisher
      0x00005337,                        //       lui  t1,0x5
      0x55530313,                        //       addi t1,t1,0x555   pass
      0x0062a023,                        //       sw   t1,0(t0)
      0x0000006f,                        //       j    .
      0x0c200eb7,                        // handler: lui t4,0xc200
      0x004eaf03,                        //       lw   t5,4(t4)      claim
      0x01eea223,                        //       sw   t5,4(t4)      complete
      0x01e42023,                        //       sw   t5,0(s0)
      0x30200073,                        //       mret
  });
}

/// Writes one instruction word of the tinyTPU without its fellows until the port blocks.
inline std::string lane_filling_program() {
  return program_of({0x43c902b7, 0x0002a223, 0xffdff06f});  // lui t0,0x43c90; sw zero,4(t0); j .-4
}

/// Keeps the tinyTPU's FIFO full of the longest multiplies and activates, side by side.
inline std::string fifo_filling_program() {
  return program_of({
      0x43c902b7,  //       lui  t0,0x43c90
      0x0ff00393,  //       li   t2,255
      0xf2100313,  //       li   t1,-223      matrix_multiply, length 0xffffffff
      0xf9900e13,  //       li   t3,-103      activate, likewise
      0x0062a223,  // loop: sw   t1,4(t0)
      0x0072a423,  //       sw   t2,8(t0)
      0x0002a623,  //       sw   zero,12(t0)
      0x01c2a223,  //       sw   t3,4(t0)
      0x0072a423,  //       sw   t2,8(t0)
      0x0002a623,  //       sw   zero,12(t0)
      0xfe9ff06f,  //       j    loop
  });
}

/// Sleeps until the console's input interrupts it, for ever again.
inline std::string waiting_program() {
  return program_of({
      0x100002b7,  //       lui  t0,0x10000
      0x00100313,  //       li   t1,1
      0x006280a3,  //       sb   t1,1(t0)     IER: received data
      0x0c0003b7,  //       lui  t2,0xc000
      0x0263a423,  //       sw   t1,40(t2)    priority of source 10
      0x0c0023b7,  //       lui  t2,0xc002
      0x40000313,  //       li   t1,1024
      0x0063a023,  //       sw   t1,0(t2)     enable it
      0x00001337,  //       lui  t1,1
      0x80030313,  //       addi t1,t1,-2048
      0x30432073,  //       csrs mie,t1       MEIE
      0x10500073,  // loop: wfi
      0xffdff06f,  //       j    loop
  });
}

/// Sends an H without having set up the UART, then polls it for input, for ever.
inline std::string polling_program() {
  return program_of({
      0x100002b7,  //       lui  t0,0x10000
      0x04800313,  //       li   t1,'H'
      0x00628023,  //       sb   t1,0(t0)     THR
      0x0052c303,  // loop: lbu  t1,5(t0)     LSR
      0x00137313,  //       andi t1,t1,1      data ready
      0xfe030ce3,  //       beqz t1,loop
      0x0002c303,  //       lbu  t1,0(t0)     RBR
      0xff1ff06f,  //       j    loop
  });
}

/// Writes a word to `tohost`, as public test suites end, with a signature of two words behind it.
inline std::string test_suite_program(std::uint32_t word) {
  const std::vector<std::uint32_t> words = {
      0x00000297,          //       auipc t0,0
      0x313 | word << 20,  //       li    t1,word
      0x0262b023,          //       sd    t1,32(t0)
      0x0000006f,          // loop: j     loop
      0,
      0,
      0,
      0,  //
      0,
      0,  // tohost, at 32
      0x12345678,
      0x9abcdef0,  // the signature, at 40
  };
  constexpr std::uint64_t kBase = 0x8000'0000;
  ElfBuilder<64> builder(kBase);
  const std::string code(reinterpret_cast<const char*>(words.data()), 4 * words.size());
  builder.add_segment(kBase, code, code.size());
  builder.section_base = kBase;
  builder.section_size = code.size();
  builder.add_symbol("tohost", kBase + 32, 8);
  builder.add_symbol("begin_signature", kBase + 40, 8);
  builder.add_symbol("end_signature", kBase + 48, 0);
  return builder.build();
}

/// Prints "Hello" by the host of a test suite, an H as a character and the rest as a system call, and ends with the
/// number of bytes that the call says it has written.
inline std::string test_suite_printing_program() {
  constexpr std::uint64_t kBase = 0x8000'0000, kToHost = 128, kFromHost = 136, kBlock = 152, kText = 216;
  const std::uint32_t code[] = {
      0x00000417,  //       auipc s0,0
      0x09043303,  //       ld    t1,144(s0)   device 1, command 1, 'H'
      0x08643023,  //       sd    t1,128(s0)   tohost
      0x08043303,  // wait: ld    t1,128(s0)
      0xfe031ee3,  //       bnez  t1,wait
      0x09840313,  //       addi  t1,s0,152    block of the call
      0x08643023,  //       sd    t1,128(s0)
      0x08843303,  // told: ld    t1,136(s0)   fromhost
      0xfe030ee3,  //       beqz  t1,told
      0x08043303,  // done: ld    t1,128(s0)
      0xfe031ee3,  //       bnez  t1,done
      0x09843303,  //       ld    t1,152(s0)   its result
      0x00131313,  //       slli  t1,t1,1
      0x00136313,  //       ori   t1,t1,1
      0x08643023,  //       sd    t1,128(s0)
      0x0000006f,  //       j     .
  };
  const std::uint64_t data[] = {0, 0, 0x0101'0000'0000'0048, 64, 1, kBase + kText, 5, 0, 0, 0, 0};
  std::string image(reinterpret_cast<const char*>(code), sizeof code);
  image.resize(kToHost);
  image.append(reinterpret_cast<const char*>(data), sizeof data).append("ello\n");
  static_assert(kToHost + 3 * 8 == kBlock && kBlock + 8 * 8 == kText && kToHost + sizeof data == kText);
  ElfBuilder<64> builder(kBase);
  builder.add_segment(kBase, image, image.size());
  builder.section_base = kBase;
  builder.section_size = image.size();
  builder.add_symbol("tohost", kBase + kToHost, 8);
  builder.add_symbol("fromhost", kBase + kFromHost, 8);
  return builder.build();
}

/// Copies the console's input to its output up to the end of the line, then ends with success.
inline std::string echo_program() {
  return program_of({
      0x100002b7,  //       lui  t0,0x10000
      0x00300313,  //       li   t1,3
      0x006281a3,  //       sb   t1,3(t0)     LCR: 8 data bits
      0x0052c303,  // loop: lbu  t1,5(t0)     LSR
      0x00137313,  //       andi t1,t1,1      data ready
      0xfe030ce3,  //       beqz t1,loop
      0x0002c303,  //       lbu  t1,0(t0)     RBR
      0x00628023,  //       sb   t1,0(t0)     THR
      0x00a00393,  //       li   t2,10
      0xfe7314e3,  //       bne  t1,t2,loop
      0x001002b7,  //       lui  t0,0x100     finisher
      0x00005337,  //       lui  t1,0x5
      0x55530313,  //       addi t1,t1,0x555  pass
      0x0062a023,  //       sw   t1,0(t0)
      0x0000006f,  //       j    .
  });
}

/// Ends through the finisher with this code.
inline std::string failing_program(std::uint32_t code) {
  return program_of({
      0x001002b7,                       // lui  t0,0x100
      (code << 4 | 0x3) << 12 | 0x337,  // lui  t1,code<<4|3
      0x33330313,                       // addi t1,t1,0x333
      0x0062a023,                       // sw   t1,0(t0)
      0x0000006f,                       // j    .
  });
}

}  // namespace vp
