let reads_station () =
  match Petrel_core.Report.of_string "EDDH 041020Z" with
  | Ok report -> Alcotest.(check string) "station" "EDDH" report.station
  | Error message -> Alcotest.fail message

let refuses_prose () =
  Alcotest.(check bool) "error" true (Result.is_error (Petrel_core.Report.of_string "rain later"))

let () =
  Alcotest.run "petrel"
    [ ("report", [ Alcotest.test_case "station" `Quick reads_station; Alcotest.test_case "prose" `Quick refuses_prose ]) ]
