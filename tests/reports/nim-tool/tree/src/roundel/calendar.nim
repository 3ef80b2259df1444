## Writes rounds as iCalendar.
import std/[strformat, times]
import rounds

proc toCalendar*(rounds: seq[Round], first: DateTime, days: int): string =
  result = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
  for number, round in rounds:
    let day = (first + (number * days).days).format("yyyyMMdd")
    for game in round:
      result.add &"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:{day}\r\nSUMMARY:{game.home} - {game.away}\r\nEND:VEVENT\r\n"
  result.add "END:VCALENDAR\r\n"
