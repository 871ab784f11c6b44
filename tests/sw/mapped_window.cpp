#include "tests/sw/mapped_window.h"

#include <stdexcept>

#include "sw/driver/tinytpu/tinytpu_io.h"

namespace vp::test {
namespace {
MappedWindow* mapped = nullptr;  // the driver's access functions know nothing but an address

MappedWindow& current() {
  if (mapped == nullptr) throw std::logic_error("the driver accessed a window that is not mapped");
  return *mapped;
}

constexpr uintptr_t kBase = 0x43C00000;
}  // namespace

MappedWindow::MappedWindow(Window& window, uintptr_t base) : window_(window), base_(base) { mapped = this; }
MappedWindow::~MappedWindow() { mapped = nullptr; }

Driven::Driven(Window& window, const tinytpu_geometry& geometry) : mapped_(window, kBase) {
  if (tinytpu_init(&device_, kBase, &geometry) != 0) throw std::invalid_argument("geometry");
  device_.wait = wait;
  device_.wait_context = this;
}

void Driven::wait(void* self, const volatile uint32_t*, uint32_t) {
  auto* driven = static_cast<Driven*>(self);
  if (!driven->mapped_.window().take_interrupt()) {
    throw std::logic_error("the driver waits for an interrupt that will never come");
  }
  tinytpu_interrupt(&driven->device_);
}

}  // namespace vp::test

void tinytpu_io_write32(uintptr_t address, uint32_t value) {
  auto& mapped = vp::test::current();
  mapped.window().write(mapped.offset(address), value, 0xF);
}

// A 16-bit store drives its half of the word and zeros in the other one.
void tinytpu_io_write16(uintptr_t address, uint16_t value) {
  auto& mapped = vp::test::current();
  const unsigned half = address / 2 % 2;
  mapped.window().write(mapped.offset(address & ~uintptr_t{3}), uint32_t{value} << 16 * half, 3u << 2 * half);
}

uint32_t tinytpu_io_read32(uintptr_t address) {
  auto& mapped = vp::test::current();
  return mapped.window().read(mapped.offset(address));
}
