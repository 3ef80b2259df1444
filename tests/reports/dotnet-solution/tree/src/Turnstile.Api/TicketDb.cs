using Microsoft.EntityFrameworkCore;
using Turnstile.Domain;

namespace Turnstile.Api;

/// <summary>Tickets in SQL Server.</summary>
public sealed class TicketDb(DbContextOptions<TicketDb> options) : DbContext(options)
{
    public DbSet<Ticket> Tickets => Set<Ticket>();

    protected override void OnModelCreating(ModelBuilder model) => model.Entity<Ticket>().HasKey(t => t.Number);
}
