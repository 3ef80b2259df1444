abstract type MeltModel end

"Snow melts by `factor` millimetres a day for each degree above freezing."
Base.@kwdef struct DegreeDay <: MeltModel
    factor::Float64 = 3.0
    threshold::Float64 = 0.5
end

"""
    melt(station, model)

Water held as snow at the end of each day, in millimetres.
"""
function melt(station::Station, model::DegreeDay)
    held = 0.0
    map(eachrow(station.days)) do day
        if day.celsius <= model.threshold
            held += day.millimetres
        else
            held = max(0.0, held - model.factor * (day.celsius - model.threshold))
        end
        held
    end
end
