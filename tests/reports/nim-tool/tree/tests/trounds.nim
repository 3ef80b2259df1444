import std/unittest
import roundel/rounds

suite "rounds":
  test "everybody meets everybody once":
    var games = 0
    for round in pair(@["a", "b", "c", "d"]): games += round.len
    check games == 6

  test "an odd number of teams has byes":
    check pair(@["a", "b", "c"]).len == 3

  test "home games are even":
    check isEven(pair(@["a", "b", "c", "d"]))
