%% @doc One queue: a process that holds what was put in, up to its limit.
-module(brimful_queue).
-behaviour(gen_server).
-export([start_link/2, init/1, handle_call/3, handle_cast/2]).

-record(state, {items = queue:new(), limit, when_full, waiting = queue:new()}).

start_link(Name, Options) -> gen_server:start_link({local, Name}, ?MODULE, Options, []).

init(Options) ->
    Limit = maps:get(limit, Options, application:get_env(brimful, default_limit, 1000)),
    {ok, #state{limit = Limit, when_full = maps:get(when_full, Options, drop_newest)}}.

handle_call({put, Item}, _From, State = #state{items = Items, limit = Limit}) ->
    case queue:len(Items) < Limit of
        true ->
            {reply, ok, State#state{items = queue:in(Item, Items)}};
        false ->
            brimful_meter:shed(State#state.when_full),
            shed(Item, State)
    end;
handle_call(take, From, State = #state{items = Items, waiting = Waiting}) ->
    case queue:out(Items) of
        {{value, Item}, Rest} -> {reply, {ok, Item}, State#state{items = Rest}};
        {empty, _} -> {noreply, State#state{waiting = queue:in(From, Waiting)}}
    end;
handle_call(length, _From, State) ->
    {reply, queue:len(State#state.items), State}.

handle_cast(_, State) -> {noreply, State}.

shed(Item, State = #state{when_full = drop_oldest, items = Items}) ->
    {reply, ok, State#state{items = queue:in(Item, queue:drop(Items))}};
shed(_Item, State = #state{when_full = drop_newest}) ->
    {reply, dropped, State};
shed(_Item, State = #state{when_full = block}) ->
    {reply, full, State}.
