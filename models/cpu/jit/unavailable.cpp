#include "models/cpu/jit/native_code.h"

// Where there is no generator for the host's processor, or the library was built without one.
namespace vp::cpu {

bool NativeCode::available() { return false; }
std::unique_ptr<NativeCode> NativeCode::make(const CpuConfig&) { return nullptr; }

}  // namespace vp::cpu
