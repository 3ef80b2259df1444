#include <catch2/catch_test_macros.hpp>

#include "filter.hpp"

TEST_CASE("a slope passes") {
    JumpFilter f(2.5);
    CHECK(f.accept(10));
    CHECK(f.accept(11));
}

TEST_CASE("a fish does not") {
    JumpFilter f(2.5);
    f.accept(10);
    CHECK(!f.accept(3));
}
