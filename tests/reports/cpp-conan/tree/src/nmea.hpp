#pragma once
#include <optional>
#include <string>

/// Depth in metres of a DBT sentence, if it is one and its checksum is right.
std::optional<double> parse_dbt(const std::string& sentence);
