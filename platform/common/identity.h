#pragma once

#include <string>

namespace vp {

/// SHA-256 of some bytes, as 64 hexadecimal digits.
std::string sha256(const std::string& bytes);

/// What tells this executable from any other, in hexadecimal digits: the build ID that the linker has put into it.
std::string build_id();

}  // namespace vp
