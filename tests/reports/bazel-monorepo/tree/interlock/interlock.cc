#include "interlock/interlock.h"

namespace interlock {

bool Interlocking::Set(const Route& route) {
  for (const auto& block : route.blocks) {
    if (held_.count(block)) return false;
  }
  held_.insert(route.blocks.begin(), route.blocks.end());
  return true;
}

void Interlocking::Release(const Route& route) {
  for (const auto& block : route.blocks) held_.erase(block);
}

}  // namespace interlock
