-module(brimful_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).

start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

init([]) ->
    Queue = #{id => queue, start => {brimful_queue, start_link, []}, restart => transient},
    {ok, {#{strategy => simple_one_for_one, intensity => 5, period => 10}, [Queue]}}.
