#include <iostream>

unsigned published_cycles();

int main() {
  std::cout << published_cycles() << " cycles\n";
  return 0;
}
