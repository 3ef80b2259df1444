/// What users open: parse and print.
module Leadscrew.GCode

/// Parses a program; the first error ends it.
let parse (text: string) : Result<Block list, string> =
    text.Split '\n'
    |> Array.map Parser.block
    |> Array.fold
        (fun acc b ->
            match acc, b with
            | Ok bs, Ok b -> Ok(bs @ [ b ])
            | Error e, _
            | _, Error e -> Error e)
        (Ok [])

let print (blocks: Block list) =
    blocks
    |> List.map (fun b -> b.Words |> List.map (fun w -> sprintf "%c%M" w.Letter w.Value) |> String.concat " ")
    |> String.concat "\n"
