/// The parser: one block per line, comments are kept.
module internal Leadscrew.Parser

open System

let word (text: string) : Result<Word, string> =
    match Decimal.TryParse(text.Substring 1) with
    | true, v when Char.IsLetter text.[0] -> Ok { Letter = Char.ToUpper text.[0]; Value = v }
    | _ -> Error(sprintf "no word: %s" text)

let block (line: string) : Result<Block, string> =
    let code, comment =
        match line.IndexOf ';' with
        | -1 -> line, None
        | i -> line.Substring(0, i), Some(line.Substring(i + 1).Trim())

    let folder state text =
        match state, word text with
        | Ok ws, Ok w -> Ok(w :: ws)
        | Error e, _
        | _, Error e -> Error e

    code.Split([| ' ' |], StringSplitOptions.RemoveEmptyEntries)
    |> Array.fold folder (Ok [])
    |> Result.map (fun ws -> { Number = None; Words = List.rev ws; Comment = comment })
