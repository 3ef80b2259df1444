@testset "missing days are dropped" begin
    path = joinpath(@__DIR__, "data", "finse.csv")
    @test size(read_station(path).days, 1) == 3
end
