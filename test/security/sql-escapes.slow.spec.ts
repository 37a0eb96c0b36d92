import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { Questions } from '../query/asking.js';
import { layBait, plantCanary, type Bait } from './sql/canaries.js';
import { clauses } from './sql/clauses.js';
import { costly } from './sql/costly.js';
import { expressions } from './sql/expressions.js';
import { generated } from './sql/generated.js';
import { harmless } from './sql/harmless.js';
import { innerNames } from './sql/inner-names.js';
import { quoting } from './sql/quoting.js';
import { tooBig } from './sql/too-big.js';

const corpus = [...new Set([...clauses, ...innerNames, ...quoting, ...expressions, ...generated])];

/** What only the engine, or a reader of our tables, would say. */
const engineText = /DB::|Exception|Code: \d|__table\d|ClickHouse server|Stack trace|_CAST|\bproject_id = /;

let service: ServiceHandle;
let foreign: string;
let bait: Bait;
let questions: Questions;
let state: () => Promise<unknown>;

beforeAll(async () => {
  service = await sharedService();
  const other = await service.newProject();
  await plantCanary(service, service.project);
  foreign = await plantCanary(service, other);
  bait = await layBait();
  questions = new Questions(service, service.project.id);
  state = async () => {
    const counts = async (of: Questions) =>
      of.rows(`select (select count() from events), (select count() from persons),
      (select count() from cohorts), (select count() from cohort_people), (select max(event) from events)`);
    const { rows } = await service.pool.query(
      'SELECT (SELECT count(*) FROM cohorts), (SELECT count(*) FROM persons), (SELECT count(*) FROM pg_class)',
    );
    return [await counts(questions), await counts(new Questions(service, other.id)), rows];
  };
});

afterAll(async () => {
  await bait.remove();
  await service.stop();
});

interface Outcome {
  readonly text: string;
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

const send = async (text: string, values: object = { a: 'x' }): Promise<Outcome> => {
  const started = performance.now();
  const answer = await fetch(`${service.url}/api/projects/${service.project.id}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, values }),
  });
  return { text, status: answer.status, body: await answer.text(), ms: performance.now() - started };
};

interface Refusal {
  readonly line?: unknown;
  readonly column?: unknown;
  readonly detail?: string;
}

const isPlace = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1;

/** Null where the text was refused as it must be. */
const complaint = ({ text, status, body, ms }: Outcome): string | null => {
  if (body.includes(foreign)) return 'shows another project';
  if (body.includes(bait.text)) return 'shows a file';
  if (ms > 10_000) return `took ${Math.round(ms)} ms`;
  if (status !== 400) return `answered ${status}: ${body.slice(0, 300)}`;
  const { line, column, detail = '' } = JSON.parse(body) as Refusal;
  if (!isPlace(line) || !isPlace(column)) return `names no line and column: ${body.slice(0, 300)}`;
  if (engineText.test(detail) && !engineText.test(text)) return `speaks with the engine's words: ${detail}`;
  return null;
};

const inParallel = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items];
  const next = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, next));
};

describe('the corpus of escapes', () => {
  it('is as large as it was when it was last read', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(1_500);
    for (const text of Object.keys(harmless)) expect(corpus).toContain(text);
  });

  it('is refused with line and column, reads nothing foreign, writes nothing', async () => {
    const before = await state();
    const complaints: string[] = [];
    await inParallel(
      corpus.filter((text) => !(text in harmless)),
      async (text) => {
        const reported = complaint(await send(bait.baited(text)));
        if (reported !== null) complaints.push(`${text}\n    ${reported}`);
      },
    );
    expect(complaints).toEqual([]);
    expect(await bait.taken()).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('has harmless texts, each with its own answer', async () => {
    for (const [text, rows] of Object.entries(harmless))
      expect([text, await questions.rows(text, { values: { a: 'x' } })]).toEqual([text, rows]);
  });
});

describe('a text beyond a limit', () => {
  it.each(Object.entries(tooBig))('%s', async (_, text) => {
    expect(complaint(await send(text))).toBeNull();
  });
});

describe('a question that would take forever', () => {
  /** All of them in the long run. */
  const requested = process.env.EVERY_STATEMENT ? costly : costly.filter((_, n) => n % 5 === 1);

  it.each(requested.map((text) => [text]))('%s', async (text) => {
    const { status, body, ms } = await send(text);
    if (status !== 200) expect([status, body]).toEqual([400, expect.stringContaining('"line"')]);
    expect(engineText.test(body)).toBe(false);
    expect(ms).toBeLessThan(60_000);
    expect((await send('select 1')).status).toBe(200);
  });
});
