#include "tests/sw/mapped_window.h"

#include <stdexcept>

#include "sw/driver/tinytpu/tinytpu_io.h"

namespace vp::test {
namespace {
MappedWindow* mapped = nullptr;  // the driver's access functions know nothing but an address

MappedWindow& window() {
  if (mapped == nullptr) throw std::logic_error("the driver accessed a window that is not mapped");
  return *mapped;
}

constexpr uintptr_t kBase = 0x43C00000;
}  // namespace

MappedWindow::MappedWindow(WindowModel& model, uintptr_t base) : model_(model), base_(base) { mapped = this; }
MappedWindow::~MappedWindow() { mapped = nullptr; }

DrivenModel::DrivenModel(const tinytpu_geometry& geometry)
    : model_(geometry.matrix_width, geometry.weight_buffer_depth, geometry.unified_buffer_depth),
      window_(model_, kBase) {
  if (tinytpu_init(&device_, kBase, &geometry) != 0) throw std::invalid_argument("geometry");
  device_.wait = wait;
  device_.wait_context = this;
}

void DrivenModel::wait(void* self, const volatile uint32_t*, uint32_t) {
  auto* driven = static_cast<DrivenModel*>(self);
  if (!driven->model_.take_interrupt())
    throw std::logic_error("the driver waits for an interrupt that will never come");
  tinytpu_interrupt(&driven->device_);
}

}  // namespace vp::test

void tinytpu_io_write32(uintptr_t address, uint32_t value) {
  auto& window = vp::test::window();
  window.model().write(window.offset(address), value, 0xF);
}

// A 16-bit store drives its half of the word and zeros in the other one.
void tinytpu_io_write16(uintptr_t address, uint16_t value) {
  auto& window = vp::test::window();
  const unsigned half = address / 2 % 2;
  window.model().write(window.offset(address & ~uintptr_t{3}), uint32_t{value} << 16 * half, 3u << 2 * half);
}

uint32_t tinytpu_io_read32(uintptr_t address) {
  auto& window = vp::test::window();
  return window.model().read(window.offset(address));
}
