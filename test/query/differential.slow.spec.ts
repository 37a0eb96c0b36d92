import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../fuzz/random.js';
import { plantCanary } from '../security/sql/canaries.js';
import { CohortsOf } from '../support/cohorts/cohorts-of.js';
import { loadStream, makeChanges } from '../support/insights/load.js';
import { Generator } from '../support/query/generate.js';
import { shrunk } from '../support/query/shrink.js';
import { answerTo, isOrdered, statementText, type Statement, type Tables } from '../support/query/statement.js';
import { tablesOf, tinyOf } from '../support/query/tiny.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** `SEED=… QUERY=…` asks one question of a run again. */
const seed = Number(process.env.SEED ?? 1);
const only = process.env.QUERY === undefined ? null : Number(process.env.QUERY);
const total = Number(process.env.QUERIES ?? 300);
const perScene = total > 1_000 ? 1_000 : 100;

let service: ServiceHandle;
let canary: string;

beforeAll(async () => {
  service = await sharedService();
  canary = await plantCanary(service, service.project);
});

afterAll(() => service.stop());

interface World {
  readonly projectId: number;
  readonly tables: Tables;
}

const worldOf = async (scene: number): Promise<World> => {
  const tiny = tinyOf(new Random(seed, -1 - scene));
  const project = await loadStream(service, tiny.stream);
  await makeChanges(service, project, tiny.changes);
  const cohorts = new CohortsOf(service, project.id);
  for (const [name, distinct_ids] of Object.entries(tiny.cohorts))
    await cohorts.create({ name, is_static: true, distinct_ids });
  return { projectId: project.id, tables: tablesOf(tiny) };
};

const ask = async ({ projectId, tables }: World, body: object): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${service.url}/api/projects/${projectId}/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      'x-test-now': new Date(tables.now).toISOString(),
    },
    body: JSON.stringify({ ...body, limit: 50_000 }),
  });
  return { status: answer.status, text: await answer.text() };
};

/** As far as floats are exact; in the order of the answer only where the statement fixes it. */
const comparable = (statement: Statement, rows: unknown): string => {
  const plain = JSON.parse(JSON.stringify(rows), (_, value: unknown) =>
    typeof value === 'number' ? Number((value + 0).toPrecision(12)) + 0 : value,
  ) as unknown[];
  const texts = plain.map((row) => JSON.stringify(row));
  return (isOrdered(statement) ? texts : texts.sort()).join('\n');
};

/** What is wrong with the answer to a statement, if anything: its kind, and all of it. */
const faultOf = async (
  world: World,
  statement: Statement,
  n: number,
): Promise<{ kind: string; report: string } | null> => {
  const { query, values } = statementText(statement, (literal) => (n + literal) % 5 === 0);
  const { status, text } = await ask(world, { query, values });
  const report = (what: string) => `${query}\n${JSON.stringify(values)}\n${what}`;
  if (text.includes(canary)) return { kind: 'canary', report: report('shows the canary of another project') };
  if (status !== 200) {
    const detail = text.replace(/"(line|column|request_id)":[^,}]*/g, '').slice(0, 80);
    return {
      kind: `${status} ${detail.replace(/[0-9]+/g, '')}`,
      report: report(`answered ${status}: ${text.slice(0, 600)}`),
    };
  }
  const got = comparable(statement, (JSON.parse(text) as { results: unknown }).results);
  const expected = comparable(statement, answerTo(statement, world.tables));
  return got === expected ? null : { kind: 'rows', report: report(`expected\n${expected}\nanswered\n${got}`) };
};

const faultsOf = async (world: World, numbers: readonly number[]): Promise<string[]> => {
  const faults: string[] = [];
  const kinds = new Set<string>();
  const queue = [...numbers];
  const next = async (): Promise<void> => {
    for (let n = queue.shift(); n !== undefined; n = queue.shift()) {
      const number = n;
      const statement = new Generator(new Random(seed, number)).statement();
      const fault = await faultOf(world, statement, number);
      if (!fault) continue;
      const again = async (smaller: Statement) => (await faultOf(world, smaller, number))?.kind === fault.kind;
      // One of each kind is made small; the others only need to be counted.
      const isNew = !kinds.has(fault.kind);
      kinds.add(fault.kind);
      const smallest = isNew && faults.length < 20 ? await shrunk(statement, again) : statement;
      const report = (await faultOf(world, smallest, number)) ?? fault;
      faults.push(`SEED=${seed} QUERY=${number} (zone ${world.tables.zone})\n${report.report}`);
    }
  };
  await Promise.all([next(), next()]);
  return faults;
};

describe('random questions', () => {
  const all = only === null ? Array.from({ length: total }, (_, n) => n) : [only];
  const scenes = [...new Set(all.map((n) => Math.floor(n / perScene)))];

  it.each(scenes.map((scene) => [scene]))('are answered like the naive model does, scene %d', async (scene) => {
    const world = await worldOf(scene);
    const faults = await faultsOf(
      world,
      all.filter((n) => Math.floor(n / perScene) === scene),
    );
    expect(faults.join('\n\n')).toBe('');
  });
});
