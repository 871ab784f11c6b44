#include "platform/board/plugin.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "models/common/error.h"

namespace vp {

namespace {

/// Why the library was not loaded; what it lacks is named as in the source.
std::string loading_error() {
  const std::string message = ::dlerror();
  const std::string marker = "undefined symbol: ";
  const std::size_t found = message.find(marker);
  if (found == std::string::npos) return message;
  const std::string symbol = message.substr(found + marker.size());
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr),
                                                         &std::free);
  return "it needs " + (name ? name.get() : symbol) + ", which this program does not have";
}

}  // namespace

std::vector<const PartKind*> load_plugin(const std::string& path) {
  const std::string where = "--plugin " + path + ": ";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw UserError(where + "there is no such file");
  // With a slash, so that the system's search path is not looked at.
  void* const library = ::dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw UserError(where + "it cannot be loaded: " + loading_error());
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
