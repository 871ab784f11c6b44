#include "platform/board/plugin.h"

#include <dlfcn.h>

#include <filesystem>

#include "models/common/error.h"

namespace vp {

std::vector<const PartKind*> load_plugin(const std::string& path) {
  const std::string where = "--plugin " + path + ": ";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw UserError(where + "there is no such file");
  // With a slash, so that the system's search path is not looked at.
  void* const library = ::dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw UserError(where + "it cannot be loaded: " + ::dlerror());
  using Entry = const Plugin* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, kPluginEntry));
  if (!entry) throw UserError(where + "it is no plug-in: it has no function " + kPluginEntry);
  const Plugin* const plugin = entry();
  if (std::string(plugin->abi) != kPluginAbi)
    throw UserError(where + "it was built for " + plugin->abi + ", but this is " + kPluginAbi);
  std::vector<const PartKind*> kinds;
  for (const PartKind* const* kind = plugin->kinds; *kind; ++kind) kinds.push_back(*kind);
  return kinds;
}

}  // namespace vp
