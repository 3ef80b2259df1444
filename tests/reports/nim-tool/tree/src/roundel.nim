## Plans the games of a league so that everybody meets everybody.
import std/[strutils, times]
import cligen
import roundel/[rounds, calendar]

proc plan(teams: string, start: string, days = 7) =
  ## Plans a season and prints its calendar.
  let names = readFile(teams).strip.splitLines
  let first = parse(start, "yyyy-MM-dd")
  echo toCalendar(pair(names), first, days)

proc check(teams: string) =
  ## Says whether home games are shared out evenly.
  let names = readFile(teams).strip.splitLines
  echo if isEven(pair(names)): "even" else: "not even"

when isMainModule:
  dispatchMulti([plan], [check])
