#include "firmware/board/device_tree.h"

#include <stddef.h>
#include <string.h>

// Header fields and tokens, by the specification's names.
enum { OFF_MAGIC = 0, OFF_TOTALSIZE = 4, OFF_OFF_DT_STRUCT = 8, OFF_OFF_DT_STRINGS = 12, OFF_LAST_COMP_VERSION = 24 };
enum { FDT_BEGIN_NODE = 1, FDT_END_NODE = 2, FDT_PROP = 3, FDT_NOP = 4, FDT_END = 9 };
enum { FDT_MAGIC_HIGH = 0xD00D, FDT_MAGIC_LOW = 0xFEED, VERSION_WE_READ = 17, MAX_DEPTH = 16 };

static uint32_t read_cell(const uint8_t* bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t header(const uint8_t* tree, uint32_t field) { return read_cell(tree + field); }

bool device_tree_valid(const void* tree) {
  return tree != NULL && header(tree, OFF_MAGIC) == ((uint32_t)FDT_MAGIC_HIGH << 16 | FDT_MAGIC_LOW) &&
         header(tree, OFF_LAST_COMP_VERSION) <= VERSION_WE_READ;
}

// One token of the structure block.
struct token {
  uint32_t kind;
  const char* name;      // of a node or property
  const uint8_t* value;  // of a property
  uint32_t length;       // of the value in bytes
};

uint32_t device_tree_size(const void* tree) { return header(tree, OFF_TOTALSIZE); }

static uint32_t align_cell(uint32_t offset) { return (offset + 3) & ~(uint32_t)3; }

// Reads the token at *offset and moves *offset behind it. Anything that leaves the tree reads as the end.
static struct token next_token(const uint8_t* tree, uint32_t* offset) {
  const uint32_t size = header(tree, OFF_TOTALSIZE);
  struct token token = {.kind = FDT_END};
  if (*offset > size - 4) return token;
  const uint32_t kind = read_cell(tree + *offset);
  *offset += 4;
  if (kind == FDT_BEGIN_NODE) {
    token.name = (const char*)tree + *offset;
    const size_t room = size - *offset;
    const size_t length = strnlen(token.name, room);
    if (length == room) return token;
    *offset = align_cell(*offset + (uint32_t)length + 1);
  } else if (kind == FDT_PROP) {
    if (*offset > size - 8) return token;
    token.length = read_cell(tree + *offset);
    const uint32_t name = header(tree, OFF_OFF_DT_STRINGS) + read_cell(tree + *offset + 4);
    token.value = tree + *offset + 8;
    if (token.length > size - *offset - 8 || name >= size) return token;
    if (memchr(tree + name, '\0', size - name) == NULL) return token;
    token.name = (const char*)tree + name;
    *offset = align_cell(*offset + 8 + token.length);
  }
  token.kind = kind;
  return token;
}

const uint8_t* device_tree_property(const struct device_tree_node* node, const char* name, uint32_t* length) {
  for (uint32_t offset = node->properties;;) {
    const struct token token = next_token(node->tree, &offset);
    if (token.kind == FDT_NOP) continue;
    if (token.kind != FDT_PROP) return NULL;  // properties come before subnodes
    if (strcmp(token.name, name) == 0) {
      *length = token.length;
      return token.value;
    }
  }
}

bool device_tree_cell(const struct device_tree_node* node, const char* name, unsigned index, uint32_t* value) {
  uint32_t length;
  const uint8_t* cells = device_tree_property(node, name, &length);
  if (cells == NULL || length / 4 <= index) return false;
  *value = read_cell(cells + 4 * index);
  return true;
}

static uint64_t read_number(const uint8_t* cells, uint32_t count) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < count; ++i) number = number << 32 | read_cell(cells + 4 * i);
  return number;
}

bool device_tree_reg(const struct device_tree_node* node, unsigned index, uint64_t* address, uint64_t* size) {
  uint32_t length;
  const uint8_t* cells = device_tree_property(node, "reg", &length);
  const uint32_t entry = 4 * (node->address_cells + node->size_cells);
  if (cells == NULL || entry == 0 || length / entry <= index) return false;
  cells += entry * index;
  *address = read_number(cells, node->address_cells);
  *size = read_number(cells + 4 * node->address_cells, node->size_cells);
  return true;
}

static bool list_holds(const uint8_t* list, uint32_t length, const char* name) {
  const size_t wanted = strlen(name) + 1;
  for (uint32_t i = 0; i < length;) {
    const uint32_t entry = (uint32_t)strnlen((const char*)list + i, length - i) + 1;
    if (entry == wanted && i + entry <= length && memcmp(list + i, name, wanted) == 0) return true;
    i += entry;
  }
  return false;
}

// A node that is being read: where it begins, and the cells it declares for its children.
struct open_node {
  uint32_t properties;
  uint32_t address_cells, size_cells;
};

// Finds the index-th node with a property whose list of strings holds the value (NULL: any value), in one pass over the
// tree. Properties stand before subnodes, so a parent's cells are known when its children come.
static bool find_property(const void* blob, const char* property, const char* value, unsigned index,
                          struct device_tree_node* node) {
  if (!device_tree_valid(blob)) return false;
  const uint8_t* tree = blob;
  struct open_node nodes[MAX_DEPTH + 1] = {{0, 2, 1}};  // the defaults are the specification's
  unsigned depth = 0;
  for (uint32_t offset = header(tree, OFF_OFF_DT_STRUCT);;) {
    const struct token token = next_token(tree, &offset);
    if (token.kind == FDT_END || (token.kind == FDT_END_NODE && depth-- == 0)) return false;
    if (token.kind == FDT_BEGIN_NODE) {
      if (++depth > MAX_DEPTH) return false;
      nodes[depth] = (struct open_node){offset, 2, 1};
    }
    if (token.kind != FDT_PROP || depth == 0) continue;
    struct open_node* current = &nodes[depth];
    if (token.length == 4 && strcmp(token.name, "#address-cells") == 0) current->address_cells = read_cell(token.value);
    if (token.length == 4 && strcmp(token.name, "#size-cells") == 0) current->size_cells = read_cell(token.value);
    if (strcmp(token.name, property) != 0) continue;
    if ((value != NULL && !list_holds(token.value, token.length, value)) || index-- != 0) continue;
    *node = (struct device_tree_node){tree, current->properties, current[-1].address_cells, current[-1].size_cells};
    return true;
  }
}

bool device_tree_find_compatible(const void* tree, const char* compatible, unsigned index,
                                 struct device_tree_node* node) {
  return find_property(tree, "compatible", compatible, index, node);
}

bool device_tree_find_type(const void* tree, const char* type, unsigned index, struct device_tree_node* node) {
  return find_property(tree, "device_type", type, index, node);
}

bool device_tree_find_having(const void* tree, const char* property, unsigned index, struct device_tree_node* node) {
  return find_property(tree, property, NULL, index, node);
}
