#include "firmware/tensil/boot_arguments.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/device_tree.h"

static const char* all_arguments(void) {
  struct device_tree_node node;
  uint32_t length;
  if (!device_tree_find_having(board_get()->device_tree, "bootargs", 0, &node)) return "";
  return (const char*)device_tree_property(&node, "bootargs", &length);
}

const char* boot_argument(const char* name, const char* after) {
  const size_t length = strlen(name);
  const char* at = after != NULL ? strchr(after, ' ') : all_arguments();
  while (at != NULL) {
    while (*at == ' ') ++at;
    if (*at == '\0') return NULL;
    if (strncmp(at, name, length) == 0 && at[length] == '=') return at + length + 1;
    at = strchr(at, ' ');
  }
  return NULL;
}
