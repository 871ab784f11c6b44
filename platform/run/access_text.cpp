#include "platform/run/access_text.h"

#include <algorithm>

#include "models/common/interrupt_wire.h"
#include "models/common/wording.h"

namespace vp {

std::string AccessText::place(std::uint64_t pc) const {
  const std::string symbol = symbols_.describe(pc);
  return hexadecimal(pc) + (symbol.empty() ? "" : " (" + symbol + ")");
}

bool AccessText::is_processor(const std::string& master) const {
  return std::any_of(machine_.processors.begin(), machine_.processors.end(),
                     [&](const Outline::Processor& one) { return one.part == master; });
}

std::string AccessText::origin(const std::string& master, std::uint64_t pc) const {
  if (pc == kNoPc) return master;
  return master + (is_processor(master) ? " at pc " : ", started at pc ") + place(pc);
}

std::string AccessText::origin(const Origin& origin) const {
  return this->origin(machine_.initiators.at(origin.initiator).name, origin.pc);
}

std::string AccessText::address(std::uint64_t address) const {
  if (bus_.map().find(address, 1) == AddressMap::kNone)
    for (const LeftOutWindow& one : left_out_)
      if (address >= one.window.base && address <= one.window.last())
        return "in the window of " + one.part + ", which is left out: " + one.part + ".present is false";
  return bus_.describe(address);
}

std::string AccessText::refusal(const BadAccess& access) const {
  if (bus_.map().find(access.address, 1) == AddressMap::kNone) return "";
  const std::string why = bus_.refusal(access);
  return std::string(access.write ? "a write" : "a read") + " of " + counted(access.size, "byte") + " was refused" +
         (why.empty() ? "" : ": " + why);
}

std::string AccessText::refusal(std::uint64_t address) const {
  const BadAccess* const latest = bus_.last_bad_access();
  if (!latest || latest->address != address) return "";
  const std::string text = refusal(*latest);
  return text.empty() ? "" : "; " + text;
}

std::string AccessText::bad_access(const BadAccess& access) const {
  const std::string why = refusal(access);
  return std::string("bad access of ") + origin(access.initiator, access.pc) + ": " +
         (why.empty() ? std::string(access.write ? "a write" : "a read") + " of " + counted(access.size, "byte")
                      : why) +
         ", address " + hexadecimal(access.address) + " (" + address(access.address) + ")";
}

}  // namespace vp
