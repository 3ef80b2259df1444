open OUnit2

let suite = "tinyhttp" >::: [ "refuses" >:: (fun _ -> assert_raises Not_found (fun () -> Tinyhttp.get "http://none.invalid/")) ]
let () = run_test_tt_main suite
