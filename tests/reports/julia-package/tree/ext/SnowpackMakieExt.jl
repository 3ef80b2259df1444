"Plots of a winter, when Makie is loaded."
module SnowpackMakieExt

using Snowpack, Makie

Makie.plot(depth::Vector{Float64}) = lines(depth; axis = (; ylabel = "mm of water"))

end
