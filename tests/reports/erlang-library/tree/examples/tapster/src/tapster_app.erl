-module(tapster_app).
-behaviour(application).
-export([start/2, stop/1]).

start(_, _) -> brimful:start_queue(bar, #{limit => 20}).

stop(_) -> ok.
