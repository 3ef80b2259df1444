using Azure.Messaging.ServiceBus;
using Microsoft.EntityFrameworkCore;
using Turnstile.Api;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddDbContext<TicketDb>(o => o.UseSqlServer(builder.Configuration.GetConnectionString("Tickets")));
builder.Services.AddSingleton(new ServiceBusClient(builder.Configuration["Bus"]));

var app = builder.Build();
app.MapGet("/tickets/{number}", async (string number, TicketDb db) =>
    await db.Tickets.FindAsync(number) is { } t ? Results.Ok(t) : Results.NotFound());
app.MapPost("/tickets/{number}/block", async (string number, ServiceBusClient bus) =>
{
    await bus.CreateSender("blocked").SendMessageAsync(new ServiceBusMessage(number));
    return Results.Accepted();
});
app.Run();
