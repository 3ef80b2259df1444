using System;
using static System.Math;
using Tea = Company.Tea;

namespace Company.Shop
{
    /// <summary>
    /// A shop that sells tea.
    /// </summary>
    [Serializable]
    public class Shop<T> : Base, IDisposable where T : IWare
    {
        public string Name { get; set; } = "secret";

        public Shop(string name) { }

        /// <summary>Sells one tea.</summary>
        [Obsolete("why")]
        public async Task<T> Sell(string name, int amount = 1, params int[] rest)
        {
            if (name == null || amount == 0) { foreach (var x in rest) { } }
            else if (amount > 1) { switch (amount) { case 1: break; default: break; } }
            return name ?? throw new Exception();
        }

        public int Twice(int x) => x * 2;

        [Fact]
        public void SellsTea() { }

        static void Main(string[] args) { }
    }

    internal interface IWare { int Price(); }
    public enum State { Open, Closed }
    public record Pair(int A, int B);
}
