open Cmdliner

let decode raw =
  match Petrel_core.Report.of_string raw with
  | Ok report -> print_endline (Petrel_core.Words.of_report report)
  | Error message -> prerr_endline message; exit 1

let fetch station =
  let server = Sys.getenv "PETREL_SERVER" in
  decode (Tinyhttp.get (server ^ "/metar/" ^ station))

let decode_cmd =
  Cmd.v (Cmd.info "decode" ~doc:"Says what a report says.")
    Term.(const decode $ Arg.(required & pos 0 (some string) None & info []))

let fetch_cmd =
  Cmd.v (Cmd.info "fetch" ~doc:"Asks a server for the report of an airfield.")
    Term.(const fetch $ Arg.(required & pos 0 (some string) None & info []))

let () = exit (Cmd.eval (Cmd.group (Cmd.info "petrel" ~version:"0.4.0") [ decode_cmd; fetch_cmd ]))
