#pragma once

namespace vp {

/// The text of default_machine.ini, made part of the program when it is built.
extern const char* const kDefaultMachine;

}  // namespace vp
