// Lights the LED panel in the signal box.
#include <cstdio>

int main() {
  std::puts("waiting for yardd on localhost:50110");
  return 0;
}
