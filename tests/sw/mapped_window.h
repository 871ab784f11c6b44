// Puts a WindowModel behind the driver's access functions at an address, for as long as the object lives.
#ifndef TESTS_SW_MAPPED_WINDOW_H
#define TESTS_SW_MAPPED_WINDOW_H

#include "sw/driver/tinytpu/tinytpu.h"
#include "tests/sw/window_model.h"

namespace vp::test {

class MappedWindow {
 public:
  MappedWindow(WindowModel& model, uintptr_t base);
  ~MappedWindow();
  MappedWindow(const MappedWindow&) = delete;
  MappedWindow& operator=(const MappedWindow&) = delete;

  WindowModel& model() { return model_; }
  uint32_t offset(uintptr_t address) const { return static_cast<uint32_t>(address - base_); }

 private:
  WindowModel& model_;
  uintptr_t base_;
};

// A driver on a model of its own; interrupts are taken while the driver waits.
class DrivenModel {
 public:
  explicit DrivenModel(const tinytpu_geometry& geometry);
  tinytpu* device() { return &device_; }
  WindowModel& model() { return model_; }

 private:
  static void wait(void* self, const volatile uint32_t* completed, uint32_t seen);

  WindowModel model_;
  MappedWindow window_;
  tinytpu device_{};
};

}  // namespace vp::test

#endif
