#pragma once

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <cstddef>
#endif

namespace vp {

/// To be called after sc_start() has returned, from the thread's own stack. SystemC tells the address sanitizer about
/// its switches between coroutines, but leaves the way back to the main stack without its bounds; the next exception
/// would then be reported as a false use after scope. Does nothing without the sanitizer.
inline void restore_main_stack() {
#if defined(__SANITIZE_ADDRESS__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* bottom = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &bottom, &size);
  pthread_attr_destroy(&attributes);
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

}  // namespace vp
