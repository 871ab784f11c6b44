// Address spaces: Sv32 or Sv39, by the register width.
#ifndef FIRMWARE_PROCESSES_PAGING_H
#define FIRMWARE_PROCESSES_PAGING_H

#include <stdint.h>

enum { PAGE_SIZE = 4096 };
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 16, PTE_G = 32, PTE_A = 64, PTE_D = 128 };

typedef uintptr_t page_table_entry;

// A page of zeros; there are enough for this program.
void* page_new(void);
// An address space in which supervisor mode finds this program's memory where it is.
page_table_entry* space_new(void);
void space_map(page_table_entry* space, uintptr_t address, const void* page, uintptr_t flags);
// The entry of a page of 4 KiB, or NULL if there is no table for it.
page_table_entry* space_leaf(page_table_entry* space, uintptr_t address);
// The value of satp.
uintptr_t space_register(const page_table_entry* space, uintptr_t id);
// Bits of ASID that satp has. Machine mode.
unsigned space_id_bits(void);

#endif
