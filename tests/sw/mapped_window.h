// Puts a Window behind the driver's access functions at an address, for as long as the object lives.
#ifndef TESTS_SW_MAPPED_WINDOW_H
#define TESTS_SW_MAPPED_WINDOW_H

#include "sw/driver/tinytpu/tinytpu.h"
#include "tests/sw/window_model.h"

namespace vp::test {

class MappedWindow {
 public:
  MappedWindow(Window& window, uintptr_t base);
  ~MappedWindow();
  MappedWindow(const MappedWindow&) = delete;
  MappedWindow& operator=(const MappedWindow&) = delete;

  Window& window() { return window_; }
  uint32_t offset(uintptr_t address) const { return static_cast<uint32_t>(address - base_); }

 private:
  Window& window_;
  uintptr_t base_;
};

// A driver on a window; interrupts are taken while the driver waits.
class Driven {
 public:
  Driven(Window& window, const tinytpu_geometry& geometry);
  ::tinytpu* device() { return &device_; }

 private:
  static void wait(void* self, const volatile uint32_t* completed, uint32_t seen);

  MappedWindow mapped_;
  ::tinytpu device_{};
};

// A driver on a model of its own.
class DrivenModel {
 public:
  explicit DrivenModel(const tinytpu_geometry& geometry)
      : model_(geometry.matrix_width, geometry.weight_buffer_depth, geometry.unified_buffer_depth),
        driven_(model_, geometry) {}
  ::tinytpu* device() { return driven_.device(); }
  WindowModel& model() { return model_; }

 private:
  WindowModel model_;
  Driven driven_;
};

}  // namespace vp::test

#endif
