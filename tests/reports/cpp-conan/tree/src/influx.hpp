#pragma once
#include <string>

/// Writes depths in line protocol.
class Influx {
public:
    Influx(std::string url, std::string bucket);
    void write(double depth);

private:
    std::string url_, bucket_;
};
