(** A report, as it is meant. *)

type wind = { from : int; knots : int; gusts : int option }
type t = { station : string; day : int; wind : wind option; celsius : int option; hectopascal : int option }

let of_string raw =
  let buffer = Lexing.from_string raw in
  try Ok (Grammar.report Lexer.token buffer) with
  | Grammar.Error -> Error (Printf.sprintf "at %d: this is no METAR" (Lexing.lexeme_start buffer))
