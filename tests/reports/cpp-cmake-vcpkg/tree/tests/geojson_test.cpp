#include "contourline/contourline.hpp"

#include <gtest/gtest.h>

TEST(GeoJson, Empty) { EXPECT_NE(contourline::to_geojson({}).find("FeatureCollection"), std::string::npos); }

TEST(GeoJson, Height) { EXPECT_NE(contourline::to_geojson({{20, {}}}).find("20"), std::string::npos); }
