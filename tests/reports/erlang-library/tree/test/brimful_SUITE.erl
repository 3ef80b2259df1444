-module(brimful_SUITE).
-include_lib("common_test/include/ct.hrl").
-export([all/0, init_per_suite/1, end_per_suite/1, survives_a_flood/1]).

all() -> [survives_a_flood].

init_per_suite(Config) ->
    {ok, _} = application:ensure_all_started(brimful),
    Config.

end_per_suite(_Config) -> application:stop(brimful).

survives_a_flood(_Config) ->
    {ok, Q} = brimful:start_queue(flood, #{limit => 10, when_full => drop_oldest}),
    [brimful:put(Q, N) || N <- lists:seq(1, 100000)],
    10 = brimful:length(Q).
