#pragma once

#include <tlm>

#include "models/common/target_model.h"

namespace vp {

/// How an access ended, read from the transaction's response. A burst or byte-enable error counts as `error`.
inline AccessResult to_result(tlm::tlm_response_status status) {
  switch (status) {
    case tlm::TLM_OK_RESPONSE:
      return AccessResult::ok;
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
      return AccessResult::address_error;
    case tlm::TLM_COMMAND_ERROR_RESPONSE:
      return AccessResult::command_error;
    default:
      return AccessResult::error;
  }
}

}  // namespace vp
