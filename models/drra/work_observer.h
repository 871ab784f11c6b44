#pragma once

#include "models/drra/register_file.h"

namespace vp::drra {

/// Told in which cycles the units of cells work, for a picture of a run. Calls about one unit come in order of time.
class WorkObserver {
 public:
  virtual ~WorkObserver() = default;
  /// The sequencer decodes an instruction in `cycle`.
  virtual void on_decode(unsigned /*cell*/, Cycle /*cycle*/) {}
  /// It waits from the first cycle to the last one.
  virtual void on_wait(unsigned /*cell*/, Cycle /*first*/, Cycle /*last*/) {}
  /// The DPU works on elements of a stream.
  virtual void on_dpu(unsigned /*cell*/, Cycle /*cycle*/) {}
  /// A port has a stream with its first and last address in these cycles.
  virtual void on_stream(unsigned /*cell*/, Port /*port*/, Cycle /*first*/, Cycle /*last*/) {}
};

}  // namespace vp::drra
