#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "chordpro.hpp"

TEST_CASE("chords stand above what follows") {
    const auto chunks = chordpro::parse("[G]Hello [D]you");
    CHECK(chunks.size() == 3);
    CHECK(chunks[1].chord == "G");
}

TEST_CASE("plain text has no chords") { CHECK(chordpro::plain("[G]Hello [D]you") == "Hello you"); }

TEST_CASE("an open bracket is text") { CHECK(chordpro::plain("a [b") == "a [b"); }
