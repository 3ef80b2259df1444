// Contours of an invented landscape of two hills.
#include <contourline/contourline.hpp>

#include <cmath>
#include <iostream>

int main() {
    contourline::Raster r{64, 64, {}};
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) r.cells.push_back(50 * std::sin(x / 9.0) * std::cos(y / 9.0));
    std::cout << contourline::to_geojson(contourline::contours(r)) << '\n';
}
