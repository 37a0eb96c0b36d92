import { benches } from './benches.js';

/** `npm run bench -- <name>`: one JSON line per figure. */
const [name] = process.argv.slice(2);
const bench = benches.find((known) => known.name === name);
if (!bench) {
  console.error(`Usage: npm run bench -- <${benches.map((known) => known.name).join('|')}>`);
  process.exit(1);
}
for await (const figure of bench.run()) console.log(JSON.stringify({ bench: bench.name, ...figure }));
process.exit(0);
