%% @doc The public face: start a queue, put something in, take something out.
-module(brimful).
-export([start_queue/2, put/2, take/2, length/1]).

-type rule() :: drop_oldest | drop_newest | block.
-export_type([rule/0]).

start_queue(Name, Options) ->
    supervisor:start_child(brimful_sup, [Name, Options]).

put(Queue, Item) -> gen_server:call(Queue, {put, Item}).

take(Queue, Timeout) -> gen_server:call(Queue, take, Timeout).

length(Queue) -> gen_server:call(Queue, length).
