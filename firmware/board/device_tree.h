// Reader of a flattened device tree (the Devicetree Specification, chapter 5), in place and without a heap.
#ifndef FIRMWARE_BOARD_DEVICE_TREE_H
#define FIRMWARE_BOARD_DEVICE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct device_tree_node {
  const uint8_t* tree;
  uint32_t properties;                 // offset of the first token behind the node's name
  uint32_t address_cells, size_cells;  // of the parent: how `reg` is to be read
};

// True when there is a tree of a known version at this address (NULL: none).
bool device_tree_valid(const void* tree);
// Bytes of a valid tree.
uint32_t device_tree_size(const void* tree);

// Finds the index-th node (in tree order) whose `compatible` list holds the name. False when there is none.
bool device_tree_find_compatible(const void* tree, const char* compatible, unsigned index,
                                 struct device_tree_node* node);
// Finds the index-th node whose `device_type` is the name ("memory", "cpu").
bool device_tree_find_type(const void* tree, const char* type, unsigned index, struct device_tree_node* node);

// Finds the index-th node that has this property, whatever its value.
bool device_tree_find_having(const void* tree, const char* property, unsigned index, struct device_tree_node* node);

// The value of a property and its length in bytes; NULL when the node has no such property.
const uint8_t* device_tree_property(const struct device_tree_node* node, const char* name, uint32_t* length);
// The index-th 32-bit cell of a property. False when there is none.
bool device_tree_cell(const struct device_tree_node* node, const char* name, unsigned index, uint32_t* value);
// The index-th (address, size) pair of `reg`. False when there is none.
bool device_tree_reg(const struct device_tree_node* node, unsigned index, uint64_t* address, uint64_t* size);

#ifdef __cplusplus
}
#endif

#endif
