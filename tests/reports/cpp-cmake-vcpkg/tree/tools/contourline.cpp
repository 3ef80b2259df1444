// contourline: reads a raster, prints its contour lines.
#include "contourline/contourline.hpp"

#include <cstdlib>
#include <cstring>
#include <iostream>

int main(int argc, char** argv) {
    contourline::Options options;
    const char* file = nullptr;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--interval") && i + 1 < argc) options.interval = std::atof(argv[++i]);
        else file = argv[i];
    }
    if (!file) {
        std::cerr << "usage: contourline RASTER [--interval M]\n";
        return 2;
    }
    std::cout << to_geojson(contours(contourline::Raster::read(file), options)) << '\n';
}
