for (var seat = 1; seat <= 9000; seat++)
    Console.WriteLine($"INSERT INTO Tickets (Number, Gate) VALUES ('{seat:D5}', 'N{seat % 8 + 1}');");
