import { all } from './all.js';
import { benches } from './benches.js';
import { history } from './history.js';
import { isKept, type Bench } from './bench.js';

/** Returns how many figures are out of their bounds. */
const run = async (bench: Bench): Promise<number> => {
  const kept = await history.last();
  let broken = 0;
  for await (const figure of bench.run()) {
    const line = { bench: bench.name, ...figure, ...kept.boundOf(bench.name, figure) };
    console.log(JSON.stringify(line));
    if (!isKept(line)) broken += 1;
  }
  return broken;
};

const attempts = 3;

/** A neighbour on the machine disturbs one run; a loss is in each. */
const check = async (bench: Bench): Promise<boolean> => {
  for (let attempt = 1; attempt <= attempts; attempt += 1) if ((await run(bench)) === 0) return true;
  console.error(`Figures of ${bench.name} are out of their bounds, ${attempts} times in a row`);
  return false;
};

/**
 * `npm run bench -- <name>`: one JSON line per figure. `all` runs every bench, `all --quick` ten minutes of them, and prints a
 * page beside the last release; `--keep` keeps the figures as those of this version. `--check` fails when figures stay out of
 * their bounds.
 */
const [name, ...options] = process.argv.slice(2);
const bench = benches.find((known) => known.name === name);
if (name === 'all') {
  await all({ isQuick: options.includes('--quick'), keeps: options.includes('--keep') });
} else if (!bench) {
  console.error(
    `Usage: npm run bench -- <${benches.map((known) => known.name).join('|')}|all [--quick] [--keep]> [--check]`,
  );
  process.exit(1);
} else if (!options.includes('--check')) {
  await run(bench);
} else if (!(await check(bench))) {
  process.exit(1);
}
process.exit(0);
