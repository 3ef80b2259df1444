/// \file
/// Contour lines from elevation rasters.
#pragma once

#include <string>
#include <vector>

namespace contourline {

struct Point {
    double x, y;
};

/// One line of equal height; closed if its ends are equal.
struct Line {
    double height;
    std::vector<Point> points;
};

/// Heights on a regular grid, row by row.
struct Raster {
    int width = 0, height = 0;
    std::vector<double> cells;

    static Raster read(const std::string& path);
    double at(int x, int y) const { return cells[static_cast<std::size_t>(y) * width + x]; }
};

struct Options {
    double interval = 10.0;
    int smooth = 0;
};

/// All contour lines of a raster.
std::vector<Line> contours(const Raster& raster, const Options& options = {});

std::string to_geojson(const std::vector<Line>& lines);

}  // namespace contourline
