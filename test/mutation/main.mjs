import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { areas } from './areas.mjs';
import { mutantsOf } from './mutants.mjs';

/**
 * `npm run mutants -- [--every 5] [--area filters]`: breaks the code in one small place at a time and runs the specs of its area.
 * A mutant that no spec notices has survived. Prints the survivors and the share that was noticed, and fails below 85 % in an area.
 */
const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: Object.keys(areas) },
    file: { type: 'string' },
    every: { type: 'string', default: '1' },
    least: { type: 'string', default: '85' },
  },
});
const every = Number(values.every);
const workers = 2;

const mutantsOfFile = (file) => {
  const text = readFileSync(file, 'utf8');
  return mutantsOf(file, text).map((mutant, n) => ({
    ...mutant,
    file,
    name: `${file}~${n}`,
    was: text.slice(mutant.start, mutant.end),
  }));
};

const chosen = values.area.map((name) => {
  const area = areas[name];
  if (!area) throw new Error(`--area must be one of ${Object.keys(areas).join(', ')}`);
  const files = area.files.filter((file) => values.file === undefined || file === values.file);
  return { name, area, mutants: files.flatMap(mutantsOfFile).filter((_, at) => at % every === 0) };
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
    const timer = setTimeout(() => resolve('too slow'), withinMs);
    worker.once('message', ({ failure }) => resolve(failure));
    worker.once('exit', (code) => resolve(`ended with ${code}`));
    worker.send({ mutant, area: this.#area });
    const failure = await promise;
    clearTimeout(timer);
    worker.removeAllListeners('message').removeAllListeners('exit');
    // What a failed spec leaves behind, such as an engine that was not closed, would fail the specs of the next mutant.
    if (failure !== null) this.end();
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
const scoreOf = async ({ name, area, mutants }) => {
  const lanes = Array.from({ length: workers }, () => new Lane(area));
  try {
    const started = Date.now();
    const broken = await Promise.all(lanes.map((lane) => lane.failure(null, 600_000)));
    const fault = broken.find((failure) => failure !== null);
    if (fault) throw new Error(`without a mutant: ${fault}`);
    const withinMs = 2 * (Date.now() - started) + 5_000;

    const waiting = [...mutants];
    let noticed = 0;
    const drain = async (lane) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const { file, line, kind, was, replacement } = mutant;
        if ((await lane.failure(mutant.name, withinMs)) !== null) noticed += 1;
        else console.log(`${file}:${line} ${kind}: ${oneLine(was)} → ${oneLine(replacement) || 'nothing'}`);
      }
    };
    await Promise.all(lanes.map(drain));
    const score = (100 * noticed) / mutants.length;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`${name}: ${noticed} of ${mutants.length} mutants noticed, ${score.toFixed(1)} %, in ${seconds} s`);
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
  process.exitCode = scores.every((score) => score >= Number(values.least)) ? 0 : 1;
} finally {
  await globalThis.stopTestStores();
}
process.exit();
