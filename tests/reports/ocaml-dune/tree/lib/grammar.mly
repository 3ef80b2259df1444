%token <string> STATION
%token <int> TIME
%token EOF
%start <Report.t> report
%%

report:
  | station = STATION; day = TIME; EOF
    { { Report.station; day; wind = None; celsius = None; hectopascal = None } }
