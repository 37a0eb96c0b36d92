import pg from 'pg';
import { rounded, type Bench, type Figure } from './bench.js';
import { filters, recalculated, withCohort, type CohortScene } from './cohort.js';
import { databaseUrl } from './support/service.js';

const cohortCount = Number(process.env.BENCH_COHORTS ?? 100);

/** Measures the cost of writing who entered and left a cohort, and the time to read that. */
export const changes: Bench = { name: 'changes', run: () => withCohort(measure) };

async function* measure(scene: CohortScene): AsyncGenerator<Figure> {
  const database = new pg.Client({ connectionString: await databaseUrl(scene.dataDir) });
  await database.connect();
  try {
    const { id } = scene.cohort;
    const scenes = [scene];
    while (scenes.length < cohortCount) {
      const cohort = await scene.ask('POST', '?wait=60', { name: `Bench ${scenes.length}`, filters });
      scenes.push({ ...scene, cohort });
    }
    const alone = await total(scenes, (each) => recalculated(each));
    yield { figure: `${scenes.length} calculations that change no member`, value: rounded(alone), unit: 's' };
    const begin = (await (await scene.get(`/${id}/changes?after=latest`)).json()) as { cursor: string };
    const changing = await total(scenes, (each) => recalculated(each, () => forgetSome(database, each)));
    yield { figure: 'those that change every hundredth', value: rounded(changing), unit: 's' };
    yield { figure: 'changing ÷ not changing', value: rounded(changing / alone), unit: 'ratio', atMost: 1.2 };

    const started = performance.now();
    const read = await readAll(scene, begin.cursor);
    yield {
      figure: 'changes read',
      value: rounded(read / ((performance.now() - started) / 1000), 0),
      unit: 'changes/s',
      atLeast: 50_000,
    };
    const { rows } = await database.query<{ bytes: string; count: string }>(
      `SELECT pg_total_relation_size('cohort_changes') AS bytes, sum(count) AS count FROM cohort_changes`,
    );
    const [{ bytes, count } = { bytes: '0', count: '1' }] = rows;
    yield { figure: 'storage', value: rounded(Number(bytes) / Number(count)), unit: 'bytes/change' };
  } finally {
    await database.end();
  }
}

const total = async (scenes: readonly CohortScene[], seconds: (scene: CohortScene) => Promise<number>) => {
  let sum = 0;
  for (const scene of scenes) sum += await seconds(scene);
  return sum;
};

/** As if other persons had been members before: one bit in each 13 bytes is turned, which is about every hundredth person. */
const forgetSome = async (database: pg.Client, { project, cohort }: CohortScene): Promise<void> => {
  await database.query(
    `UPDATE cohort_member_chunks SET bits = (
       SELECT string_agg(set_byte('\\x00'::bytea, 0, CASE WHEN at % 13 = 0 THEN get_byte(bits, at) # 16 ELSE get_byte(bits, at) END), ''::bytea ORDER BY at)
       FROM generate_series(0, 127) AS at)
     WHERE project_id = $1 AND cohort_id = $2`,
    [project, cohort.id],
  );
};

const readAll = async ({ cohort, get }: CohortScene, from: string): Promise<number> => {
  let read = 0;
  let cursor = from;
  for (;;) {
    const answer = await get(`/${cohort.id}/changes?after=${cursor}&limit=10000&format=ndjson`);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text.slice(0, 500));
    if (text === '') return read;
    read += text.split('\n').length - 1;
    cursor = answer.headers.get('x-cursor') ?? '';
  }
};
