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

/// The response that says so.
inline tlm::tlm_response_status to_response(AccessResult result) {
  switch (result) {
    case AccessResult::ok:
      return tlm::TLM_OK_RESPONSE;
    case AccessResult::address_error:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case AccessResult::command_error:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    case AccessResult::error:
    case AccessResult::no_answer:
      break;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace vp
