%% @doc Counts what is shed, and tells telemetry.
-module(brimful_meter).
-export([shed/1]).

shed(Rule) ->
    telemetry:execute([brimful, shed], #{count => 1}, #{rule => Rule}).
