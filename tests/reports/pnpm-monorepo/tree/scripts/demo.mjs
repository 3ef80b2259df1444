// Fills the database with an invented club of twelve divers.
const names = ['Ana', 'Bo', 'Cleo', 'Dov'];
for (const n of names) {
  await fetch('http://localhost:8787/members', { method: 'POST', body: JSON.stringify({ name: n }) });
}
