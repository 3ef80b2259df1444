namespace Turnstile.Domain;

public enum Verdict { Open, WrongGate, WrongSeason, Blocked, AlreadyIn }

/// <summary>Decides whether a turnstile opens.</summary>
public sealed class GateRules
{
    private readonly HashSet<string> inside = [];

    public Verdict Check(Ticket ticket, string gate, DateOnly day)
    {
        if (ticket.Blocked) return Verdict.Blocked;
        if (ticket.Gate != gate) return Verdict.WrongGate;
        if (!ticket.Season.Contains(day)) return Verdict.WrongSeason;
        return inside.Add(ticket.Number) ? Verdict.Open : Verdict.AlreadyIn;
    }
}
