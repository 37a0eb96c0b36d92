import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { areas } from './areas.mjs';
import { isEquivalent } from './equivalent.mjs';
import { mutantsOf } from './mutants.mjs';

/**
 * `npm run mutants -- [--area filters] [--every 5 --from 2]`: breaks the code in one small place at a time and runs the specs of its
 * area. A mutant that no spec notices has survived. Prints the survivors and the share that was noticed, and fails below 85 % in an area.
 * - `--area A`, which can be repeated, and `--file F` try only the mutants of these.
 * - `--every N` tries every N-th mutant of an area. `--from K` (default 0) starts at the K-th: other K have no mutant in common.
 * - `--workers N` (default 2) processes run specs at the same time.
 * - `--least P` is the share in percent that every area must have (default 85).
 * The mutants of `equivalent.mjs` cannot change an answer, and are not counted.
 */
const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: Object.keys(areas) },
    file: { type: 'string' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    workers: { type: 'string', default: '2' },
    least: { type: 'string', default: '85' },
  },
});
const [every, from, workers, least] = [values.every, values.from, values.workers, values.least].map(Number);

const mutantsOfFile = (file) => {
  const text = readFileSync(file, 'utf8');
  return mutantsOf(file, text).map((mutant, n) => ({
    ...mutant,
    file,
    name: `${file}~${n}`,
    was: text.slice(mutant.start, mutant.end),
    isEquivalent: isEquivalent(file, text, mutant),
  }));
};

const chosen = values.area.map((name) => {
  const area = areas[name];
  if (!area) throw new Error(`--area must be one of ${Object.keys(areas).join(', ')}`);
  const files = area.files.filter((file) => values.file === undefined || file === values.file);
  const sample = files.flatMap(mutantsOfFile).filter((_, at) => at % every === from);
  const mutants = sample.filter((mutant) => !mutant.isEquivalent);
  return { name, area, mutants, leftOut: sample.length - mutants.length };
});
const filled = chosen.filter(({ mutants }) => mutants.length > 0);
if (filled.length === 0) throw new Error('No file of these areas has a mutant');

class Lane {
  #area;
  #worker = null;

  constructor(area) {
    this.#area = area;
  }

  async failure(mutant, withinMs) {
    this.#worker ??= fork(new URL('./worker.mjs', import.meta.url), {
      execArgv: ['--experimental-vm-modules', '--no-warnings'],
      env: { ...process.env, ...this.#area.env },
    });
    const worker = this.#worker;
    const { promise, resolve } = deferred();
    const timer = setTimeout(() => resolve({ failure: 'too slow', isReusable: false }), withinMs);
    worker.once('message', resolve);
    worker.once('exit', (code) => resolve({ failure: `ended with ${code}`, isReusable: false }));
    worker.send({ mutant, area: this.#area });
    const { failure, isReusable } = await promise;
    clearTimeout(timer);
    worker.removeAllListeners('message').removeAllListeners('exit');
    // What a spec leaves behind whose hooks failed, such as an engine that was not closed, would fail the specs of the next mutant.
    if (!isReusable) this.end();
    return failure;
  }

  end() {
    this.#worker?.kill('SIGKILL');
    this.#worker = null;
  }
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

const oneLine = (code) => code.replace(/\s+/g, ' ').slice(0, 70);

/** The share of mutants that a spec noticed, in percent. */
const scoreOf = async ({ name, area, mutants, leftOut }) => {
  const lanes = Array.from({ length: workers }, () => new Lane(area));
  try {
    const started = Date.now();
    const broken = await Promise.all(lanes.map((lane) => lane.failure(null, 600_000)));
    const fault = broken.find((failure) => failure !== null);
    if (fault) throw new Error(`without a mutant: ${fault}`);
    const withinMs = 2 * (Date.now() - started) + 5_000;

    const waiting = [...mutants];
    let noticed = 0;
    let slow = 0;
    const drain = async (lane) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const { file, line, kind, was, replacement } = mutant;
        const failure = await lane.failure(mutant.name, withinMs);
        if (failure !== null) noticed += 1;
        if (failure === 'too slow') slow += 1;
        if (failure === null)
          console.log(`${file}:${line} ${kind}: ${oneLine(was)} → ${oneLine(replacement) || 'nothing'}`);
      }
    };
    await Promise.all(lanes.map(drain));
    const score = (100 * noticed) / mutants.length;
    const seconds = Math.round((Date.now() - started) / 1000);
    const counts = `${noticed} of ${mutants.length} mutants noticed, ${slow} of them because they took too long`;
    console.log(`${name}: ${counts}; ${leftOut} equivalent ones left out; ${score.toFixed(1)} %, in ${seconds} s`);
    return score;
  } finally {
    for (const lane of lanes) lane.end();
  }
};

const { default: globalSetup } = await import('../support/global-setup.mjs');
await globalSetup();
try {
  const scores = [];
  for (const part of filled) scores.push(await scoreOf(part));
  process.exitCode = scores.every((score) => score >= least) ? 0 : 1;
} finally {
  await globalThis.stopTestStores();
}
process.exit();
