// How long a network takes: a figure that the hardware's own project published.
#include <iostream>

#include "models/tinytpu/program.h"

int main() {
  std::cout << vp::tinytpu::time_network({}, {784, 504, 10}, {104}).cycles << " cycles\n";
  return 0;
}
