type wind = { from : int; knots : int; gusts : int option }
type t = { station : string; day : int; wind : wind option; celsius : int option; hectopascal : int option }

val of_string : string -> (t, string) result
(** Reads one report. The error says where it stopped making sense. *)
