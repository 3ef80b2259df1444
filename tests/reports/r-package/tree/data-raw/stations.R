stations <- read.csv("data-raw/stations.csv")
usethis::use_data(stations, overwrite = TRUE)
