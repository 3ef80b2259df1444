// Decides which routes may be set together.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace interlock {

struct Route {
  std::string from, to;
  std::vector<std::string> blocks;
};

class Interlocking {
 public:
  // Sets a route if none of its blocks is held; tells whether it did.
  bool Set(const Route& route);
  void Release(const Route& route);

 private:
  std::set<std::string> held_;
};

}  // namespace interlock
