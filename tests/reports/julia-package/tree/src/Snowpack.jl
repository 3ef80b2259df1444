"""
    Snowpack

How snow piles up and melts at a station, from daily temperature and precipitation.
"""
module Snowpack

using CSV, DataFrames, Dates

export Station, read_station, melt, DegreeDay, snowdays

include("stations.jl")
include("melt.jl")

"How many days of a winter had snow on the ground."
snowdays(depth::AbstractVector) = count(>(0), depth)

end
