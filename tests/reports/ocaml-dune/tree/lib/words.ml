(** Plain words for a report. *)

let wind { Report.from; knots; gusts } =
  let gusts = match gusts with None -> "" | Some g -> Printf.sprintf ", gusts of %d" g in
  Printf.sprintf "wind from %d degrees at %d knots%s" from knots gusts

let of_report (report : Report.t) =
  let parts = [ Option.map wind report.wind; Option.map (Printf.sprintf "%d degrees") report.celsius ] in
  report.station ^ ": " ^ String.concat ", " (List.filter_map Fun.id parts)
