import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type CohortDto } from '../src/cohorts/cohort.dto.js';
import { createLogger } from '../src/platform/telemetry/logger.js';
import { ClickHouse } from '../src/platform/clickhouse/client.js';
import { sql, unsigned } from '../src/platform/clickhouse/sql.js';
import { bootstrapFile, launch, removeDir, tempDir, terminate, untilReady } from '../test/support/process.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { makePersons } from './support/persons.js';
import { ResidentMemory } from './support/resident-memory.js';
import { databaseUrl } from './support/service.js';

const personCount = Number(process.env.BENCH_PERSONS ?? 1_000_000);
const lookEveryMs = 1000;

/** A static cohort from a file of a million distinct ids: how fast it fills, and what it takes of the service's memory. */
export const cohortUpload: Bench = { name: 'cohort-upload', run: measure };

/** Persons in both stores. Written into them directly: loading is not what is measured. */
const fill = async (dataDir: string, env: Readonly<Record<string, string>>): Promise<void> => {
  const service = await launch(env);
  try {
    await untilReady(service);
    const { project_id } = await bootstrapFile(dataDir);
    const database = new pg.Client({ connectionString: await databaseUrl(dataDir) });
    await database.connect();
    await makePersons({ database, project_id }, personCount);
    await database.end();
  } finally {
    await terminate(service);
  }
  const { project_id } = await bootstrapFile(dataDir);
  const logger = createLogger({ logLevel: 'error' });
  const clickhouse = await ClickHouse.open({ embeddedPath: join(dataDir, 'clickhouse') }, logger);
  try {
    await clickhouse.command(sql`
      INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at, is_deleted, version)
      SELECT ${unsigned(project_id)}, number + 1, generateUUIDv4(), '{"plan":"free"}', 1, now64(3), 0, 1
      FROM numbers(${unsigned(personCount)})`);
  } finally {
    await clickhouse.close();
  }
};

interface Filled {
  readonly acknowledged: number;
  readonly filled: number;
  /** The numbers of members shown on the way. */
  readonly shown: readonly number[];
  readonly count: number;
}

class Uploads {
  constructor(
    private readonly cohorts: string,
    private readonly key: string,
  ) {}

  /** Seconds until the answer, and until everyone is a member. */
  async upload(persons: number): Promise<Filled> {
    const form = new FormData();
    form.set('name', `${persons} persons`);
    form.set('is_static', 'true');
    const rows = Array.from({ length: persons }, (_, n) => `user-${n + 1}\n`);
    form.set('csv', new Blob(['distinct_id\n', ...rows], { type: 'text/csv' }), 'persons.csv');
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    let cohort = await this.ask('', { method: 'POST', body: form });
    const acknowledged = seconds();
    const shown: number[] = [];
    while (cohort.is_calculating) {
      await sleep(lookEveryMs);
      cohort = await this.ask(`/${cohort.id}`);
      shown.push(cohort.count ?? 0);
    }
    const filled = seconds();
    while (cohort.count !== persons && seconds() < 2 * filled + 60) cohort = await this.ask(`/${cohort.id}`);
    return { acknowledged, filled, shown, count: cohort.count ?? 0 };
  }

  private async ask(path: string, init: RequestInit = {}): Promise<CohortDto> {
    const answer = await fetch(`${this.cohorts}${path}`, {
      ...init,
      // A connection kept while the next file is made may be closed when it is sent.
      headers: { authorization: `Bearer ${this.key}`, connection: 'close' },
    });
    const cohort = (await answer.json()) as CohortDto;
    if (answer.status >= 300 || cohort.calculation_error) throw new Error(JSON.stringify(cohort));
    return cohort;
  }
}

async function* measure(): AsyncGenerator<Figure> {
  const dataDir = await tempDir();
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_ENV: 'development' };
  try {
    await fill(dataDir, env);
    const service = await launch(env);
    try {
      await untilReady(service);
      const { personal_api_key: key, project_id: project } = await bootstrapFile(dataDir);
      const uploads = new Uploads(`${service.url}/api/projects/${project}/cohorts`, key);
      await uploads.upload(20_000);
      yield* figures(service.pid, uploads, personCount / 4, null);
      yield* figures(service.pid, uploads, personCount, 200);
    } finally {
      await terminate(service);
    }
  } finally {
    await removeDir(dataDir);
  }
}

async function* figures(pid: number, uploads: Uploads, persons: number, atMost: number | null): AsyncGenerator<Figure> {
  const memory = await ResidentMemory.of(pid);
  const { acknowledged, filled, shown, count } = await memory.watch(() => uploads.upload(persons));
  if (count !== persons) throw new Error(`${persons} persons were uploaded, ${count} are members`);
  if (shown.some((members, at) => members < (shown[at - 1] ?? 0))) throw new Error(`went back: ${shown.join(', ')}`);
  const of = `of ${persons} rows`;
  yield { figure: `upload ${of}, until answered`, value: rounded(acknowledged), unit: 's' };
  yield { figure: `rows ${of}, until everyone is a member`, value: rounded(persons / filled, 0), unit: 'rows/s' };
  yield { figure: `numbers shown on the way ${of}`, value: new Set(shown).size, unit: 'numbers' };
  const growth = rounded(memory.growthMiB, 0);
  yield {
    figure: `growth of resident memory ${of}`,
    value: growth,
    unit: 'MB',
    ...(atMost === null ? {} : { atMost }),
  };
}
