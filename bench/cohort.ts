import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { type CohortDto } from '../src/cohorts/cohort.dto.js';
import { createLogger } from '../src/platform/telemetry/logger.js';
import { ClickHouse } from '../src/platform/clickhouse/client.js';
import { type Sql, sql, unsigned } from '../src/platform/clickhouse/sql.js';
import { bootstrapFile, launch, removeDir, tempDir, terminate, untilReady } from '../test/support/process.js';
import { rounded, type Bench, type Figure } from './bench.js';

const personCount = Number(process.env.BENCH_PERSONS ?? 1_000_000);
const eventCount = Number(process.env.BENCH_EVENTS ?? 5_000_000);
const runs = 3;
const projectId = 1;

/** A cohort of three criteria over many persons and events: from asking for it until its members count. */
export const cohort: Bench = { name: 'cohort', run: () => withCohort(measure) };

const statements: readonly Sql[] = [
  sql`INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at, is_deleted, version)
    SELECT ${unsigned(projectId)}, number + 1, generateUUIDv4(),
      concat('{"plan":"', ['free', 'pro', 'team'][1 + number % 3], '","seats":', toString(number % 50),
        ',"country":"', ['DE', 'FR', 'US', 'JP', 'BR'][1 + number % 5], '","name":"Person ', toString(number),
        '","email":"person', toString(number), '@example.test"}'),
      1, now64(3) - toIntervalDay(number % 300), 0, 1
    FROM numbers(${unsigned(personCount)})`,
  sql`INSERT INTO events (project_id, uuid, event, distinct_id, actor, timestamp, received_at, properties, version)
    SELECT ${unsigned(projectId)}, generateUUIDv4(), ['opened', 'bought', 'left', 'searched', 'paid'][1 + cityHash64(number, 1) % 5],
      concat('user-', toString(1 + cityHash64(number, 2) % ${unsigned(personCount)})),
      1 + cityHash64(number, 2) % ${unsigned(personCount)}, now64(3) - toIntervalSecond(cityHash64(number, 3) % 7776000),
      now64(3), concat('{"amount":', toString(number % 100), ',"$browser":"', ['Chrome', 'Safari'][1 + number % 2], '"}'), 1
    FROM numbers(${unsigned(eventCount)})`,
];

/** Written into ClickHouse itself: loading is not what is measured, and a calculation reads nothing else. */
const fill = async (dataDir: string): Promise<void> => {
  const clickhouse = await ClickHouse.open(
    { embeddedPath: join(dataDir, 'clickhouse') },
    createLogger({ logLevel: 'error' }),
  );
  try {
    for (const statement of statements) await clickhouse.command(statement);
  } finally {
    await clickhouse.close();
  }
};

/** Persons with one of two plans who did `done` with a value above 20 within 30 days, and did not do `notDone` for a week. */
export const threeCriteria = (done: string, property: string, notDone: string) => ({
  properties: {
    type: 'AND',
    values: [
      { type: 'person', key: 'plan', operator: 'exact', value: ['pro', 'team'] },
      {
        ...{ type: 'behavioral', key: done, event_type: 'events', value: 'performed_event_multiple' },
        ...{ operator: 'gte', operator_value: 1, time_value: 30, time_interval: 'day' },
        event_filters: [{ type: 'event', key: property, operator: 'gt', value: 20 }],
      },
      {
        ...{ type: 'behavioral', key: notDone, event_type: 'events', value: 'performed_event', negation: true },
        ...{ time_value: 7, time_interval: 'day' },
      },
    ],
  },
});

export const filters = threeCriteria('bought', 'amount', 'left');

/** A service with persons and events, in which a cohort of them was calculated. */
export interface CohortScene {
  readonly dataDir: string;
  readonly project: number;
  readonly cohort: CohortDto;
  readonly ask: (method: string, path: string, body?: object) => Promise<CohortDto>;
  readonly get: (path: string) => Promise<Response>;
}

export async function* withCohort(work: (scene: CohortScene) => AsyncIterable<Figure>): AsyncGenerator<Figure> {
  const dataDir = await tempDir();
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_ENV: 'development' };
  try {
    const first = await launch(env);
    await untilReady(first);
    await terminate(first);
    await fill(dataDir);
    const service = await launch(env);
    try {
      await untilReady(service);
      const { personal_api_key: key, project_id: project } = await bootstrapFile(dataDir);
      const send = (method: string, path: string, body?: object): Promise<Response> =>
        fetch(`${service.url}/api/projects/${project}/cohorts${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
      const ask = async (method: string, path: string, body?: object): Promise<CohortDto> => {
        const answer = await send(method, path, body);
        const answered = (await answer.json()) as CohortDto;
        if (answer.status >= 300 || answered.calculation_error) throw new Error(JSON.stringify(answered));
        return answered;
      };
      const made = await ask('POST', '?wait=60', { name: 'Bench', filters });
      yield* work({ dataDir, project, cohort: made, ask, get: (path) => send('GET', path) });
    } finally {
      await terminate(service);
    }
  } finally {
    await removeDir(dataDir);
  }
}

/** The shortest of several calculations, in seconds. */
export const recalculated = async (
  { cohort: { id }, ask }: CohortScene,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<number> => {
  const times: number[] = [];
  for (let n = 0; n < runs; n += 1) {
    await before();
    const started = performance.now();
    await ask('POST', `/${id}/recalculate?wait=60`);
    times.push((performance.now() - started) / 1000);
  }
  return Math.min(...times);
};

async function* measure(scene: CohortScene): AsyncGenerator<Figure> {
  const { id, count } = scene.cohort;
  yield { figure: 'members', value: count ?? 0, unit: 'persons', atLeast: personCount / 20 };
  yield { figure: '3 criteria', value: rounded(await recalculated(scene)), unit: 's', atMost: 3 };
  const started = performance.now();
  await scene.ask('GET', `/${id}`);
  yield { figure: 'its count, requested again', value: rounded((performance.now() - started) / 1000), unit: 's' };
}
