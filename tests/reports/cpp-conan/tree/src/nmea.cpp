// Parses NMEA 0183 sentences of echo sounders.
#include "nmea.hpp"

#include <cstdlib>

std::optional<double> parse_dbt(const std::string& s) {
    const auto star = s.find('*');
    if (s.size() < 7 || s[0] != '$' || s.compare(3, 3, "DBT") != 0 || star == std::string::npos) return {};
    unsigned sum = 0;
    for (std::size_t i = 1; i < star; ++i) sum ^= static_cast<unsigned char>(s[i]);
    if (sum != std::strtoul(s.c_str() + star + 1, nullptr, 16)) return {};
    const auto feet = s.find(",f,");
    if (feet == std::string::npos) return {};
    return std::strtod(s.c_str() + feet + 3, nullptr);
}
