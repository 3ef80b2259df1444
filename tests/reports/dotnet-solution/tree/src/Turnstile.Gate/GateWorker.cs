using Microsoft.Extensions.Hosting;
using Turnstile.Domain;

namespace Turnstile.Gate;

/// <summary>Reads the scanner, asks the rules, opens the gate.</summary>
public sealed class GateWorker(IConfiguration configuration) : BackgroundService
{
    private readonly GateRules rules = new();

    protected override async Task ExecuteAsync(CancellationToken stop)
    {
        var gate = configuration["gate"] ?? "N1";
        while (!stop.IsCancellationRequested && await Console.In.ReadLineAsync(stop) is { } number)
        {
            var ticket = new Ticket(number, gate, new Season(DateTime.Today.Year));
            Console.WriteLine(rules.Check(ticket, gate, DateOnly.FromDateTime(DateTime.Today)));
        }
    }
}
