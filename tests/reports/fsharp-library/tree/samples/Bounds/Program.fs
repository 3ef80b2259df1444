open System.IO
open Leadscrew

[<EntryPoint>]
let main args =
    match GCode.parse (File.ReadAllText args.[0]) with
    | Ok blocks -> printfn "%A" (Machine.run blocks |> Machine.bounds); 0
    | Error e -> eprintfn "%s" e; 1
