using Snowpack, Test

@testset "Snowpack" begin
    include("melt.jl")
    include("stations.jl")
end
