#pragma once

// Of CMakeLists.txt, for who builds against the headers alone, too.
#define VP_VERSION "0.1.0"

#define VP_TEXT_OF(x) #x
#define VP_TEXT(x) VP_TEXT_OF(x)

namespace vp {

/// What a library and the program that loads it must agree on: the project's headers, the compiler's ABI with the C++
/// standard (SystemC asks for it, too), and SystemC.
inline constexpr const char* kPluginAbi =
    "tinytpu-vp " VP_VERSION
    ", C++ ABI " VP_TEXT(__GXX_ABI_VERSION) " with C++ " VP_TEXT(__cplusplus) ", SystemC 2.3.4";

}  // namespace vp

#undef VP_TEXT
#undef VP_TEXT_OF
