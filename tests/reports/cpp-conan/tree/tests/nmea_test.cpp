#include <catch2/catch_test_macros.hpp>

#include "nmea.hpp"

TEST_CASE("other sentences are ignored") { CHECK(!parse_dbt("$GPGGA,1*00")); }

TEST_CASE("a wrong checksum is refused") { CHECK(!parse_dbt("$SDDBT,36.4,f,11.1,M,6.0,F*00")); }

TEST_CASE("an empty line is no depth") { CHECK(!parse_dbt("")); }
