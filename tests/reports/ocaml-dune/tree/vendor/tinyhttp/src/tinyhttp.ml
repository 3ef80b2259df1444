(* A very small HTTP client. *)
let get url =
  let host = List.nth (String.split_on_char '/' url) 2 in
  let address = Unix.ADDR_INET ((Unix.gethostbyname host).h_addr_list.(0), 80) in
  let socket = Unix.socket PF_INET SOCK_STREAM 0 in
  Unix.connect socket address;
  let out = Unix.out_channel_of_descr socket in
  output_string out ("GET " ^ url ^ " HTTP/1.0\r\n\r\n");
  flush out;
  In_channel.input_all (Unix.in_channel_of_descr socket)
