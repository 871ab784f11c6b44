#include "models/finisher/finisher_core.h"

#include "models/common/archive.h"

namespace vp {

FinisherCore::FinisherCore() {
  finisher_.add_field({"STATUS",
                       0,
                       16,
                       "what happens",
                       FieldAccess::read_write,
                       {{kPass, "pass"}, {kFail, "fail"}, {kReset, "reset"}}});
  finisher_.add_field({"CODE", 16, 16, "exit code of `fail`"});
  fidelity_.add_field({"FIDELITY", 0, 32, "", FieldAccess::read_write, {{0, "functional"}, {1, "timed"}}});
  finisher_.on_write = [this](std::uint32_t value, Picoseconds& now) {
    FinishRequest request;
    request.time = now;
    switch (value & 0xFFFF) {
      case kPass:
        request.kind = FinishRequest::Kind::pass;
        break;
      case kFail:
        request.kind = FinishRequest::Kind::fail;
        request.code = value >> 16;
        break;
      case kReset:
        request.kind = FinishRequest::Kind::reset;
        break;
      default:
        return;
    }
    if (callback_) callback_(request);
  };
  fidelity_.on_write = [this](std::uint32_t value, Picoseconds&) {
    if (value > 1 || value == fidelity_.value) return;
    fidelity_.value = value;
    if (fidelity_callback_) fidelity_callback_(static_cast<Fidelity>(value));
  };
  region_.on_write = [this](std::uint32_t value, Picoseconds&) {
    if (region_callback_) region_callback_(value);
  };
  value_.on_write = [this](std::uint32_t value, Picoseconds&) { value_.value = value; };
  metric_.on_write = [this](std::uint32_t value, Picoseconds&) {
    if (metric_callback_) metric_callback_(value, value_.value);
  };
}

void FinisherCore::persist(Archive& archive) { archive("registers", bank_); }

}  // namespace vp
