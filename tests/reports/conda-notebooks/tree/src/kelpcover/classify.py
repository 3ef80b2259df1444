"""From pixels to canopy area."""
BANDS = ["blue", "green", "red", "nir"]


def canopy_per_cell(model, pixels, cell_m=1000):
    labels = model.predict(pixels[BANDS])
    kelp = pixels[labels == "kelp"]
    return kelp.groupby(kelp["id"] // cell_m).size().rename("canopy_pixels")
