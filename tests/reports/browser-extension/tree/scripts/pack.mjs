// Packs a zip for one browser, with the keys of the manifest that it understands.
import { readFileSync, writeFileSync } from 'node:fs';

const browser = process.argv[2] ?? 'chrome';
const manifest = JSON.parse(readFileSync('manifest.json', 'utf8'));
if (browser === 'chrome') {
  delete manifest.background.scripts;
  delete manifest.browser_specific_settings;
}
writeFileSync(`manifest.${browser}.json`, JSON.stringify(manifest, null, 2));
