#include "models/cpu/causes.h"

namespace vp::cpu {
namespace {

struct Row {
  unsigned code;
  const char* name;
  const char* text;
};

constexpr Row kExceptions[] = {
#define X(name, code, text) {code, #name, text},
    VP_CPU_EXCEPTIONS(X)
#undef X
};
constexpr Row kInterrupts[] = {
#define X(name, code, text) {code, #name, text},
    VP_CPU_INTERRUPTS(X)
#undef X
};

}  // namespace

std::string exception_name(unsigned code) {
  for (const Row& row : kExceptions)
    if (row.code == code) return row.name;
  return "";
}

std::string interrupt_name(Interrupt interrupt) {
  for (const Row& row : kInterrupts)
    if (row.code == static_cast<unsigned>(interrupt)) return row.name + std::string("_interrupt");
  return "";
}

std::string cause_text(bool interrupt, unsigned code) {
  if (interrupt) {
    for (const Row& row : kInterrupts)
      if (row.code == code) return row.text;
    return "interrupt " + std::to_string(code);
  }
  for (const Row& row : kExceptions)
    if (row.code == code) return row.text;
  return "exception " + std::to_string(code);
}

}  // namespace vp::cpu
