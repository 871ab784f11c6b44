#pragma once

#include <string>

#include "platform/loader/symbol_table.h"

namespace vp::linux_boot {

/// Names of a kernel's addresses from the content of its vmlinux (ELF), its System.map, or what its /proc/kallsyms
/// read, which has the modules too. Throws UserError: none of these, no names in it, all of them without addresses.
SymbolTable parse_kernel_symbols(std::string content, const std::string& path);

}  // namespace vp::linux_boot
