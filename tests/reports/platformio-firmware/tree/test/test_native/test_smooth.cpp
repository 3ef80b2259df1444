#include <unity.h>

#include "../../lib/SoilProbe/smooth.h"

void setUp() {}
void tearDown() {}

static void dry_is_nothing() { TEST_ASSERT_EQUAL(0, to_percent(3300)); }
static void wet_is_all() { TEST_ASSERT_EQUAL(100, to_percent(1200)); }

static void mean_of_few()
{
    Smooth smooth;
    smooth.add(10);
    TEST_ASSERT_EQUAL(15, smooth.add(20));
}

int main()
{
    UNITY_BEGIN();
    RUN_TEST(dry_is_nothing);
    RUN_TEST(wet_is_all);
    RUN_TEST(mean_of_few);
    return UNITY_END();
}
