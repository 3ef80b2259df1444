#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "transpose.hpp"

TEST_CASE("up") { CHECK(transpose("G", 2) == "A"); }

TEST_CASE("the rest of the chord stays") { CHECK(transpose("Bbm7", 1) == "Bm7"); }
