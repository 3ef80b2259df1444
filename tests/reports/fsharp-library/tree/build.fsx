// Reads the version from RELEASE_NOTES.md and packs.
open System.IO
open System.Diagnostics

let version =
    File.ReadLines "RELEASE_NOTES.md"
    |> Seq.find (fun l -> l.StartsWith "### ")
    |> fun l -> l.Substring(4).Split(' ').[0]

let run args = Process.Start("dotnet", args = args).WaitForExit()
run "build -c Release"
run "run -c Release --project tests/Leadscrew.Tests"
run $"pack -c Release -p:Version={version} -o out"
