import { setTimeout as sleep } from 'node:timers/promises';
import { proportionalMemory } from '../test/support/proportional-memory.js';
import { launch, removeDir, tempDir, terminate, untilReady } from '../test/support/process.js';
import { rounded, type Bench, type Figure } from './bench.js';

const laterRuns = 5;
const idleMs = 5000;

/** Time from start to ready, and the memory of everything once it idles. */
export const start: Bench = {
  name: 'start',
  async *run(): AsyncGenerator<Figure> {
    const dataDir = await tempDir();
    const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    yield { figure: 'first start', value: await timed(env), unit: 'ms', atMost: 8000 };
    const later: number[] = [];
    for (let run = 0; run < laterRuns; run += 1) later.push(await timed(env));
    yield { figure: 'later start, worst of 5', value: Math.max(...later), unit: 'ms', atMost: 3000 };
    const service = await launch(env);
    await untilReady(service);
    await sleep(idleMs);
    yield {
      figure: 'idle memory (PSS)',
      value: rounded(await proportionalMemory(service, dataDir), 0),
      unit: 'MB',
      atMost: 350,
    };
    await terminate(service);
    await removeDir(dataDir);
  },
};

const timed = async (env: Record<string, string>): Promise<number> => {
  const service = await launch(env);
  const ms = await untilReady(service);
  await terminate(service);
  return ms;
};
