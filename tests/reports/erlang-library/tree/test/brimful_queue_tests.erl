-module(brimful_queue_tests).
-include_lib("eunit/include/eunit.hrl").

first_in_first_out_test() ->
    {ok, Q} = brimful_queue:start_link(q1, #{limit => 2}),
    ok = brimful:put(Q, a),
    ok = brimful:put(Q, b),
    ?assertEqual({ok, a}, brimful:take(Q, 100)).

newest_is_dropped_test() ->
    {ok, Q} = brimful_queue:start_link(q2, #{limit => 1, when_full => drop_newest}),
    ok = brimful:put(Q, a),
    ?assertEqual(dropped, brimful:put(Q, b)).
