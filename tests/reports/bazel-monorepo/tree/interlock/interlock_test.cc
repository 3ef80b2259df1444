#include "interlock/interlock.h"

#include <gtest/gtest.h>

namespace interlock {

const Route kIn{"A", "1", {"b1", "b2"}};
const Route kOut{"2", "B", {"b2", "b3"}};

TEST(Interlocking, FreeRouteIsSet) { EXPECT_TRUE(Interlocking().Set(kIn)); }

TEST(Interlocking, CrossingRouteIsRefused) {
  Interlocking i;
  i.Set(kIn);
  EXPECT_FALSE(i.Set(kOut));
}

TEST(Interlocking, ReleasedBlocksAreFree) {
  Interlocking i;
  i.Set(kIn);
  i.Release(kIn);
  EXPECT_TRUE(i.Set(kOut));
}

}  // namespace interlock
