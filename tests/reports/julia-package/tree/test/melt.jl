using DataFrames

winter = Station("t", 0, DataFrame(celsius = [-5.0, -2.0, 4.0], millimetres = [10.0, 5.0, 0.0]))

@testset "cold days pile up" begin
    @test melt(winter, DegreeDay())[1:2] == [10.0, 15.0]
end

@testset "warm days melt, and never below nothing" begin
    @test melt(winter, DegreeDay(factor = 100))[3] == 0.0
end
