import { parseArgs } from 'node:util';
import { targetNames } from './all-targets.js';
import { writeReached } from './corpus.js';
import { fuzzParser, reachedBy } from './jazzer.js';

/**
 * `npm run fuzz:parsers -- --seconds N`: a JSON line for each parser, 1 if one of them broke a promise. Two run at a time.
 * - `--only sql,csv` runs these parsers.
 * - `--keep` adds the shortest inputs that the runs so far have kept to the corpus, and runs nothing.
 * What broke a parser is in `found` of `dist-bench/parsers/<name>`. It belongs into `broke.json` of the corpus before the fix.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
    parallel: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
  },
});

const seconds = Number(values.seconds);
const only = values.only?.split(',');
const unknown = only?.find((name) => !targetNames.some((known) => known === name));
if (!(seconds >= 5) || unknown !== undefined) {
  console.error(
    unknown === undefined
      ? '--seconds must be at least 5'
      : `--only must be one of ${targetNames.join(', ')}, not ${unknown}`,
  );
  process.exit(2);
}

const waiting = targetNames.filter((name) => only?.includes(name) ?? true);
let crashes = 0;
const runSome = async (): Promise<void> => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (values.keep) {
      writeReached(name, reachedBy(name));
      continue;
    }
    const run = await fuzzParser(name, seconds);
    crashes += run.crashes.length;
    console.log(JSON.stringify(run));
  }
};
await Promise.all(Array.from({ length: Number(values.parallel) }, runSome));
process.exit(crashes === 0 ? 0 : 1);
