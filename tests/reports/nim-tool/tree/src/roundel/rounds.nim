## Pairs teams by the circle method.
import std/tables

type
  Game* = object
    home*, away*: string
  Round* = seq[Game]

const bye = ""

proc pair*(teams: seq[string]): seq[Round] =
  ## All rounds of a single round-robin.
  var circle = teams
  if circle.len mod 2 == 1: circle.add bye
  for number in 0 ..< circle.len - 1:
    var round: Round
    for i in 0 ..< circle.len div 2:
      let (a, b) = (circle[i], circle[circle.len - 1 - i])
      if a == bye or b == bye: continue
      round.add if (number + i) mod 2 == 0: Game(home: a, away: b) else: Game(home: b, away: a)
    result.add round
    circle = circle[0] & circle[^1] & circle[1 ..< ^1]

proc isEven*(rounds: seq[Round]): bool =
  ## Whether no team has two home games more than another.
  var homes = initCountTable[string]()
  for round in rounds:
    for game in round: homes.inc game.home
  homes.largest.val - homes.smallest.val <= 1
