namespace Turnstile.Domain;

/// <summary>A season ticket: one seat for all home matches of a season.</summary>
public sealed record Ticket(string Number, string Gate, Season Season, bool Blocked = false);

/// <summary>A season from August to May.</summary>
public readonly record struct Season(int StartYear)
{
    public bool Contains(DateOnly day) =>
        day >= new DateOnly(StartYear, 8, 1) && day <= new DateOnly(StartYear + 1, 5, 31);
}
