// Reads rasters through GDAL.
#include "contourline/contourline.hpp"

#include <gdal_priv.h>

#include <stdexcept>

namespace contourline {

Raster Raster::read(const std::string& path) {
    GDALAllRegister();
    auto* set = static_cast<GDALDataset*>(GDALOpen(path.c_str(), GA_ReadOnly));
    if (!set) throw std::runtime_error("cannot read " + path);
    Raster r{set->GetRasterXSize(), set->GetRasterYSize(), {}};
    r.cells.resize(std::size_t(r.width) * r.height);
    GDALClose(set);
    return r;
}

}  // namespace contourline
