import { parseArgs } from 'node:util';
import { fuzz } from './run.js';
import { complaintsAbout, linesOf } from './verdict.js';

/**
 * `npm run fuzz -- --requests N`: JSON lines on standard output, progress and the first example of each failure on standard
 * error, 1 if anything was wrong. Ctrl-C ends the run early, with its report.
 * - `--seed S` repeats a run, `--only N` sends one request of it.
 * - `--connections C` is how many requests run at the same time, `--stores servers` puts the stores into servers.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    connections: { type: 'string', default: '24' },
    stores: { type: 'string', default: 'embedded' },
    settle: { type: 'string', default: '90' },
    only: { type: 'string' },
  },
});

const integer = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`--${name} must be an integer, not ${String(values[name])}`);
  process.exit(2);
};

const { stores } = values;
if (stores !== 'embedded' && stores !== 'servers') {
  console.error(`--stores must be embedded or servers, not ${stores}`);
  process.exit(2);
}

console.error(`seed ${values.seed}`);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
let shownAt = 0;
const report = await fuzz({
  stores,
  requests: integer('requests'),
  seed: integer('seed'),
  connections: integer('connections'),
  settleSeconds: integer('settle'),
  culpritSeconds: 120,
  ...(values.only === undefined ? {} : { only: integer('only') }),
  signal: stop.signal,
  onFailure: (failure) => console.error(JSON.stringify(failure)),
  progress: (line) => {
    if (Date.now() - shownAt < 10_000) return;
    shownAt = Date.now();
    console.error(line);
  },
});
for (const line of linesOf(report)) console.log(line);
process.exit(complaintsAbout(report).length === 0 ? 0 : 1);
