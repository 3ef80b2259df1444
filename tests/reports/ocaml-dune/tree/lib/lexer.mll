{
open Grammar
}

rule token = parse
  | [' ' '\n'] { token lexbuf }
  | ['A'-'Z']['A'-'Z']['A'-'Z']['A'-'Z'] as s { STATION s }
  | (['0'-'9']['0'-'9'] as d) ['0'-'9']+ 'Z' { TIME (int_of_string d) }
  | eof { EOF }
