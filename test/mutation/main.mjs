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
/** A worker keeps the modules of each mutant, so it is replaced. */
const mutantsOfWorker = 150;

const { default: globalSetup } = await import('../support/global-setup.mjs');
await globalSetup();

class Lane {
  #area;
  #worker = null;
  #runs = 0;

  constructor(area) {
    this.#area = area;
  }

  async failure(mutant, withinMs) {
    if (this.#runs >= mutantsOfWorker) this.end();
    if (this.#worker === null) {
      this.#worker = fork(new URL('./worker.mjs', import.meta.url), {
        execArgv: ['--experimental-vm-modules', '--no-warnings'],
        env: { ...process.env, ...this.#area.env },
      });
      this.#runs = 0;
    }
    this.#runs += 1;
    const worker = this.#worker;
    const { promise, resolve } = deferred();
    const timer = setTimeout(() => resolve('too slow'), withinMs);
    worker.once('message', ({ failure }) => resolve(failure));
    worker.once('exit', (code) => resolve(`ended with ${code}`));
    worker.send({ mutant, area: this.#area });
    const failure = await promise;
    clearTimeout(timer);
    worker.removeAllListeners('message').removeAllListeners('exit');
    if (worker.exitCode !== null || failure === 'too slow') this.end();
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

let isGood = true;
for (const name of values.area) {
  const area = areas[name];
  const lanes = Array.from({ length: workers }, () => new Lane(area));
  const started = Date.now();
  const [broken] = await Promise.all(lanes.map((lane) => lane.failure(null, 600_000)));
  if (broken) throw new Error(`without a mutant: ${broken}`);
  const withinMs = 2 * (Date.now() - started) + 5_000;

  const mutants = area.files
    .filter((file) => values.file === undefined || file === values.file)
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return mutantsOf(file, text).map((mutant, n) => ({
        ...mutant,
        file,
        name: `${file}~${n}`,
        was: text.slice(mutant.start, mutant.end),
      }));
    })
    .filter((_, at) => at % every === 0);
  const waiting = [...mutants];
  let noticed = 0;
  const oneLine = (code) => code.replace(/\s+/g, ' ').slice(0, 70);
  const drain = async (lane) => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const { file, line, kind, was, replacement } = mutant;
      if ((await lane.failure(mutant.name, withinMs)) !== null) noticed += 1;
      else console.log(`${file}:${line} ${kind}: ${oneLine(was)} → ${oneLine(replacement) || 'nothing'}`);
    }
  };
  await Promise.all(lanes.map(drain));
  for (const lane of lanes) lane.end();
  const score = (100 * noticed) / mutants.length;
  if (score < Number(values.least)) isGood = false;
  console.log(
    `${name}: ${noticed} of ${mutants.length} mutants noticed, ${score.toFixed(1)} %, in ${Math.round((Date.now() - started) / 1000)} s`,
  );
}
await globalThis.stopTestStores();
process.exit(isGood ? 0 : 1);
