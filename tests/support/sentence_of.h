#pragma once

#include <functional>
#include <string>

#include "models/common/error.h"

namespace vp {

/// What the user is told when this is refused; "no error" if it is not.
inline std::string sentence_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace vp
