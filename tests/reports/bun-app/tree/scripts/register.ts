// Tells Discord about the /tea command; run once per server.
import { REST, Routes } from 'discord.js';

const rest = new REST().setToken(process.env.DISCORD_TOKEN!);
await rest.put(Routes.applicationCommands(process.env.DISCORD_APP_ID!), {
  body: [{ name: 'tea', description: 'Whose turn is it?' }],
});
