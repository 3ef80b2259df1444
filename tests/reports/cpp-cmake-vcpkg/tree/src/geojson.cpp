// Writes lines as GeoJSON.
#include "contourline/contourline.hpp"
#include "minijson/minijson.hpp"

namespace contourline {

std::string to_geojson(const std::vector<Line>& lines) {
    minijson::Writer w;
    w.open("FeatureCollection");
    for (const auto& line : lines) w.number("height", line.height);
    return w.str();
}

}  // namespace contourline
