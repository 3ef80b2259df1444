// The bot: signs in, listens for /tea, answers.
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { next, type Round } from './rota';
import { openStore } from './store';

const token = process.env.DISCORD_TOKEN;
if (!token) throw new Error('DISCORD_TOKEN is not set');

const store = openStore(process.env.ROTA_FILE ?? 'rota.sqlite');
const client = new Client({ intents: [GatewayIntentBits.Guilds] });

client.on(Events.InteractionCreate, async (i) => {
  if (!i.isChatInputCommand() || i.commandName !== 'tea') return;
  switch (i.options.getSubcommand()) {
    case 'made':
      store.add({ by: i.user.id, at: Date.now() } satisfies Round);
      await i.reply('Noted. Biscuits?');
      break;
    case 'next':
      await i.reply(`<@${next(store.people(), store.rounds())}> puts the kettle on.`);
      break;
  }
});

await client.login(token);
