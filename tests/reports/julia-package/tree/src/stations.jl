"A station and what it measured, one row a day."
struct Station
    name::String
    altitude::Float64
    days::DataFrame
end

"""
    read_station(path)

Reads a file with the columns `date`, `celsius` and `millimetres`.
"""
function read_station(path::AbstractString; altitude = 0.0)
    days = CSV.read(path, DataFrame; dateformat = "yyyy-mm-dd", missingstring = ["", "-999"])
    Station(first(splitext(basename(path))), altitude, dropmissing(days))
end
