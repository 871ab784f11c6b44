// main() of tests that use SystemC: GoogleTest runs inside sc_main.
#include <gtest/gtest.h>
#include <systemc>

#include "models/common/main_stack.h"

int sc_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  vp::restore_main_stack();  // the search for leaks walks it
  return failed;
}
