import std/[strutils, times, unittest]
import roundel/[calendar, rounds]

test "a game is one event":
  let text = toCalendar(pair(@["a", "b"]), parse("2024-09-07", "yyyy-MM-dd"), 7)
  check text.count("BEGIN:VEVENT") == 1
  check "20240907" in text
