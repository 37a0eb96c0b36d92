import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { rounded, type Bench, type Figure } from './bench.js';
import { ProcessorTime } from './support/processor-time.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { download, headersOf, seedShop } from './support/shop.js';

const eventCount = Number(process.env.BENCH_EVENTS ?? 500_000);

/** An export of all persons and events, imported into a new project over HTTP while the projection ships it. */
export const imported: Bench = {
  name: 'import',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await seedShop(service, eventCount);
  const folder = await mkdtemp(join(tmpdir(), 'kohort-bench-'));
  try {
    const project = await newProject(service);
    const all = { lines: 0, seconds: 0 };
    for (const kind of ['persons', 'events'] as const) {
      const file = join(folder, kind);
      const { lines } = await download(service, kind, file);
      const spent = ProcessorTime.of(service.pid);
      const seconds = await spent.during(() => load(service, project, file));
      yield { figure: `import of ${kind}`, value: rounded(lines / seconds, 0), unit: 'rows/s' };
      yield { figure: `processor time for ${kind}`, value: rounded(spent.microseconds / lines), unit: 'µs/row' };
      all.lines += lines;
      all.seconds += seconds;
      await untilIdle(service);
    }
    yield {
      figure: 'import of the export',
      value: rounded(all.lines / all.seconds, 0),
      unit: 'rows/s',
      atLeast: 20_000,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const newProject = async (service: BenchedService): Promise<number> => {
  const answer = await fetch(new URL('/api/projects/', service.url), {
    method: 'POST',
    headers: { ...headersOf(service), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Copy' }),
  });
  return ((await answer.json()) as { id: number }).id;
};

/** Returns the seconds until every line is committed. */
const load = async (service: BenchedService, projectId: number, file: string): Promise<number> => {
  const started = performance.now();
  const sent = request(new URL(`/api/projects/${projectId}/import`, service.url), {
    method: 'POST',
    headers: { ...headersOf(service), 'Content-Type': 'application/x-ndjson' },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  await pipeline(createReadStream(file), sent);
  const [answer] = await answered;
  const { rejected_count: rejected } = (await json(answer)) as { rejected_count: number };
  if (answer.statusCode !== 200 || rejected > 0)
    throw new Error(`${answer.statusCode}, ${rejected} lines were rejected`);
  return (performance.now() - started) / 1000;
};
