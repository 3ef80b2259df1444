using Turnstile.Gate;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddHostedService<GateWorker>();
builder.Build().Run();
