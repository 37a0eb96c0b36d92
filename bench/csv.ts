import { rounded, type Bench, type Figure } from './bench.js';
import { copyOut } from './support/copy.js';
import { ResidentMemory } from './support/resident-memory.js';
import { makePersons } from './support/persons.js';
import { withService, type BenchedService } from './support/service.js';

const personCount = Number(process.env.BENCH_PERSONS ?? 1_000_000);
const rounds = 2;

/** Everyone as CSV over HTTP, beside COPY of the same columns, and what it takes of the service's memory. */
export const csv: Bench = {
  name: 'csv',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await makePersons(service, personCount);
  const keys = ['$browser', '$initial_referrer', 'country', 'email', 'name', 'paying', 'plan', 'seats'];
  const copy = `COPY (
    SELECT p.id, p.uuid, p.properties->>'email' AS name, p.created_at,
      (SELECT string_agg(d.distinct_id, ';' ORDER BY d.position) FROM person_distinct_ids AS d
       WHERE d.project_id = ${service.project_id} AND d.person_id = p.id) AS distinct_ids,
      ${keys.map((key) => `p.properties->>'${key}'`).join(', ')}
    FROM persons AS p WHERE p.project_id = ${service.project_id} ORDER BY p.created_at DESC, p.id DESC
  ) TO STDOUT (FORMAT csv, HEADER)`;
  await exported(service, 2000);
  const memory = await ResidentMemory.of(service.pid);
  const seconds = { csv: 0, copy: 0 };
  for (let round = 0; round < rounds; round += 1) {
    let started = performance.now();
    const rows = await memory.watch(() => exported(service, null));
    seconds.csv += (performance.now() - started) / 1000;
    started = performance.now();
    const copied = await copyOut(service.database, copy);
    seconds.copy += (performance.now() - started) / 1000;
    if (rows !== personCount + 1 || copied !== rows) throw new Error(`${rows} lines were exported, ${copied} copied`);
  }
  yield { figure: 'CSV over HTTP', value: rounded((rounds * personCount) / seconds.csv, 0), unit: 'rows/s' };
  yield {
    figure: 'COPY of the same columns',
    value: rounded((rounds * personCount) / seconds.copy, 0),
    unit: 'rows/s',
  };
  yield { figure: 'CSV ÷ COPY', value: rounded(seconds.copy / seconds.csv), unit: 'ratio', atLeast: 0.3 };
  yield { figure: 'growth of resident memory', value: rounded(memory.growthMiB, 0), unit: 'MB', atMost: 64 };
}

/** Lines of the file. */
const exported = async (service: BenchedService, atMost: number | null): Promise<number> => {
  const url = new URL(`/api/projects/${service.project_id}/persons?format=csv`, service.url);
  if (atMost !== null) url.searchParams.set('created_before', '2024-01-01T12:00:00Z');
  // COPY does not compress its rows either.
  const headers = { Authorization: `Bearer ${service.personal_api_key}`, 'Accept-Encoding': 'identity' };
  const answer = await fetch(url, { headers });
  if (answer.status !== 200 || !answer.body) throw new Error(`The service answered ${answer.status}`);
  let lines = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return lines;
};
