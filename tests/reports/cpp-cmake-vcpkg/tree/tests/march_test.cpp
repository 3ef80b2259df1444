#include "contourline/contourline.hpp"

#include <gtest/gtest.h>

using contourline::contours;
using contourline::Raster;

TEST(March, EmptyRasterHasNoLines) { EXPECT_TRUE(contours(Raster{}).empty()); }

TEST(March, OneRowHasNoLines) { EXPECT_TRUE(contours(Raster{3, 1, {0, 5, 10}}).empty()); }

TEST(March, PlainHasNoLines) { EXPECT_TRUE(contours(Raster{2, 2, {4, 4, 4, 4}}).empty()); }

TEST(March, SlopeHasOneLine) { EXPECT_EQ(contours(Raster{2, 2, {5, 15, 5, 15}}).size(), 1u); }

TEST(March, IntervalIsHonoured) {
    EXPECT_EQ(contours(Raster{2, 2, {5, 15, 5, 15}}, {.interval = 12}).front().height, 12);
}
