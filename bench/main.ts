import { all } from './all.js';
import { benches } from './benches.js';
import { history } from './history.js';
import { isKept } from './bench.js';

/**
 * `npm run bench -- <name>`: one JSON line per figure. `all` runs every bench, `all --quick` ten minutes of them, and prints a
 * page beside the last release; `--keep` keeps the figures as those of this version. `--check` fails when a figure is out of
 * its bounds.
 */
const [name, ...options] = process.argv.slice(2);
const bench = benches.find((known) => known.name === name);
if (name === 'all') {
  await all({ isQuick: options.includes('--quick'), keeps: options.includes('--keep') });
} else if (bench) {
  const kept = await history.last();
  let broken = 0;
  for await (const figure of bench.run()) {
    const line = { bench: bench.name, ...figure, ...kept.boundOf(bench.name, figure) };
    console.log(JSON.stringify(line));
    if (!isKept(line)) broken += 1;
  }
  if (options.includes('--check') && broken > 0) {
    console.error(`${broken} of the figures are out of their bounds`);
    process.exit(1);
  }
} else {
  console.error(
    `Usage: npm run bench -- <${benches.map((known) => known.name).join('|')}|all [--quick] [--keep]> [--check]`,
  );
  process.exit(1);
}
process.exit(0);
