//  minijson, JSON for very small programs
//  version 3.11.2
//  SPDX-License-Identifier: MIT
#pragma once
#include <string>
namespace minijson {
class Writer {
    std::string s;
public:
    void open(const char* type) { s += std::string("{\"type\":\"") + type + "\""; }
    void number(const char* key, double v) { s += std::string(",\"") + key + "\":" + std::to_string(v); }
    std::string str() const { return s + "}"; }
};
}  // namespace minijson
