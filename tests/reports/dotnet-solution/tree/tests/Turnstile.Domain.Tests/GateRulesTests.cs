using Turnstile.Domain;
using Xunit;

namespace Turnstile.Domain.Tests;

public class GateRulesTests
{
    private static readonly Ticket Good = new("100", "N4", new Season(2023));
    private static readonly DateOnly MatchDay = new(2023, 10, 7);

    [Fact]
    public void Opens() => Assert.Equal(Verdict.Open, new GateRules().Check(Good, "N4", MatchDay));

    [Fact]
    public void WrongGate() => Assert.Equal(Verdict.WrongGate, new GateRules().Check(Good, "S1", MatchDay));

    [Fact]
    public void NotTwice()
    {
        var rules = new GateRules();
        rules.Check(Good, "N4", MatchDay);
        Assert.Equal(Verdict.AlreadyIn, rules.Check(Good, "N4", MatchDay));
    }

    [Fact]
    public void Blocked() =>
        Assert.Equal(Verdict.Blocked, new GateRules().Check(Good with { Blocked = true }, "N4", MatchDay));

    [Theory]
    [InlineData(2023, 7, 31)]
    [InlineData(2024, 6, 1)]
    public void OutOfSeason(int year, int month, int day) =>
        Assert.Equal(Verdict.WrongSeason, new GateRules().Check(Good, "N4", new DateOnly(year, month, day)));
}
