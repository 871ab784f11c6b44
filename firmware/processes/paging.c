#include "firmware/processes/paging.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/board/cpu.h"

#if __riscv_xlen == 64
enum { LEVELS = 3, INDEX_BITS = 9, ID_SHIFT = 44, MODE_SHIFT = 60 };
static const uintptr_t mode = 8;
#else
enum { LEVELS = 2, INDEX_BITS = 10, ID_SHIFT = 22, MODE_SHIFT = 31 };
static const uintptr_t mode = 1;
#endif

enum { PAGES = 64 };
static _Alignas(PAGE_SIZE) uint8_t pages[PAGES][PAGE_SIZE];
static unsigned pages_used;

extern char __stack_top[];

void* page_new(void) { return pages_used < PAGES ? pages[pages_used++] : NULL; }

static uintptr_t entry_of(const void* page, uintptr_t flags) { return (uintptr_t)page / PAGE_SIZE << 10 | flags; }

static page_table_entry* place(page_table_entry* table, uintptr_t address, int level, bool make) {
  for (int at = LEVELS - 1;; --at) {
    page_table_entry* entry = &table[address >> (12 + at * INDEX_BITS) & ((1u << INDEX_BITS) - 1)];
    if (at == level) return entry;
    if ((*entry & (PTE_R | PTE_W | PTE_X)) != 0) return NULL;  // a superpage
    if ((*entry & PTE_V) == 0) {
      if (!make) return NULL;
      *entry = entry_of(page_new(), PTE_V);
    }
    table = (page_table_entry*)(*entry >> 10 << 12);
  }
}

page_table_entry* space_new(void) {
  page_table_entry* space = page_new();
  const uintptr_t size = (uintptr_t)1 << (12 + (LEVELS - 1) * INDEX_BITS);
  const uintptr_t first = (uintptr_t)0x80000000 / size * size;
  for (uintptr_t at = first; at < (uintptr_t)__stack_top; at += size)
    *place(space, at, LEVELS - 1, true) =
        entry_of((const void*)at, PTE_V | PTE_R | PTE_W | PTE_X | PTE_G | PTE_A | PTE_D);
  return space;
}

void space_map(page_table_entry* space, uintptr_t address, const void* page, uintptr_t flags) {
  *place(space, address, 0, true) = entry_of(page, flags | PTE_V);
}

page_table_entry* space_leaf(page_table_entry* space, uintptr_t address) { return place(space, address, 0, false); }

uintptr_t space_register(const page_table_entry* space, uintptr_t id) {
  return mode << MODE_SHIFT | id << ID_SHIFT | (uintptr_t)space / PAGE_SIZE;
}

unsigned space_id_bits(void) {
  CSR_WRITE(satp, mode << MODE_SHIFT | (((uintptr_t)1 << (MODE_SHIFT - ID_SHIFT)) - 1) << ID_SHIFT);
  const uintptr_t ids = CSR_READ(satp) << (8 * sizeof ids - MODE_SHIFT) >> (8 * sizeof ids - MODE_SHIFT + ID_SHIFT);
  CSR_WRITE(satp, 0);
  return (unsigned)__builtin_popcountl(ids);
}
