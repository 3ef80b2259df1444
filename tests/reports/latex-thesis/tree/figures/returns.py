"""Makes the figure of returns by year."""
import csv

with open("data/returns.csv", newline="") as file:
    rows = list(csv.DictReader(file))

print(r"\begin{tikzpicture}\begin{axis}[xlabel=Year,ylabel=Returned (\%)]")
points = " ".join(f"({row['year']},{100 * int(row['returned']) / int(row['ringed']):.1f})" for row in rows)
print(rf"\addplot coordinates {{{points}}};")
print(r"\end{axis}\end{tikzpicture}")
