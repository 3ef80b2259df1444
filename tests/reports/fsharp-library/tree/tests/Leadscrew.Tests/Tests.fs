module Leadscrew.Tests

open Expecto
open Leadscrew

let words text =
    match GCode.parse text with
    | Ok [ b ] -> b.Words.Length
    | _ -> -1

[<Tests>]
let parsing =
    testList "parsing" [
        testCase "words are counted" <| fun () -> Expect.equal (words "G1 X10 Y2") 3 ""
        testCase "comments are no words" <| fun () -> Expect.equal (words "G0 ; up") 1 ""
        testCase "nonsense is an error" <| fun () -> Expect.isError (GCode.parse "hello world") ""
    ]

[<Tests>]
let machine =
    testList "machine" [
        testCase "starts at the origin" <| fun () -> Expect.equal (Machine.run [] |> List.head) Machine.origin ""
        testCase "prints what it parsed" <| fun () ->
            Expect.equal (GCode.parse "G1 X10" |> Result.map GCode.print) (Ok "G1 X10") ""
    ]

[<EntryPoint>]
let main args = runTestsInAssemblyWithCLIArgs [] args
