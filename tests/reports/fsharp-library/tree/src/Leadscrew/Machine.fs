/// A virtual machine that knows where the tool is.
module Leadscrew.Machine

type Position = { X: decimal; Y: decimal; Z: decimal }

let origin = { X = 0m; Y = 0m; Z = 0m }

let step (p: Position) (b: Block) =
    b.Words
    |> List.fold
        (fun p w ->
            match w.Letter with
            | 'X' -> { p with X = w.Value }
            | 'Y' -> { p with Y = w.Value }
            | 'Z' -> { p with Z = w.Value }
            | _ -> p)
        p

/// Positions after every block.
let run blocks = List.scan step origin blocks

/// The smallest box around all positions.
let bounds (ps: Position list) =
    let f g pick = ps |> List.map pick |> g
    { X = f List.min (fun p -> p.X); Y = f List.min (fun p -> p.Y); Z = f List.min (fun p -> p.Z) },
    { X = f List.max (fun p -> p.X); Y = f List.max (fun p -> p.Y); Z = f List.max (fun p -> p.Z) }
