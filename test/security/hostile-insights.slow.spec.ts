import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hostileTexts } from '../support/hostile-texts.js';
import {
  began,
  ended,
  hostileDay,
  hostileInsights,
  type Requested,
  type HostileInsight,
} from '../support/insights/hostile-questions.js';
import { startTestService, type TestService } from '../support/service.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { sql } from '../../src/platform/clickhouse/sql.js';

/** What can be the name of an event, and fits a query string several times over. */
const texts = hostileTexts.filter((text) => text.length <= 200 && text.trim() !== '');

/** With EVERY_STATEMENT all of them stand at every place; otherwise a sample, in which every place has its turn with some of them. */
const all = Boolean(process.env.EVERY_STATEMENT);
const step = all ? 1 : 40;
const sampleOf = ({ sample }: HostileInsight, shift: number) =>
  all ? texts : texts.filter((_, n) => ((n + shift) * sample) % texts.length < sample);

let service: TestService;
let path: string;
let tables: unknown;

/** On a server, other specs make and remove databases meanwhile. */
const tablesThere = () =>
  service.app.get(ClickHouse).query(
    sql`SELECT name, uuid FROM system.tables
      WHERE database = currentDatabase() OR NOT startsWith(database, 'test_') ORDER BY uuid`,
    { project: 'system' },
  );

/** An object with exactly this key, `__proto__` included. */
const own = (text: string): object => {
  const json = JSON.stringify(text);
  return JSON.parse(`{${json}:${json},"name":${json}}`) as object;
};

beforeAll(async () => {
  service = await startTestService();
  path = `/api/projects/${service.project.id}`;
  const lines = texts.flatMap((text, n) => {
    const event = (name: string, minute: number, properties = {}) => ({
      type: 'event',
      event: name,
      distinct_id: `h${n}`,
      timestamp: `${hostileDay}T10:0${minute}:00Z`,
      properties,
    });
    const created_at = `${hostileDay}T09:00:00Z`;
    return [
      { type: 'person', distinct_ids: [`h${n}`], properties: own(text), created_at },
      event(began, 0),
      event(text, 1, own(text)),
      event(ended, 2),
    ];
  });
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await service.call('POST', `${path}/import`, { body, headers });
  expect(answer.body).toMatchObject({ persons: texts.length, events: 3 * texts.length, rejected: [] });
  tables = await tablesThere();
});

afterAll(() => service.stop());

const inQuery = (requested: Requested): Record<string, string> =>
  Object.fromEntries(
    Object.entries(requested)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

const ask = async (insight: HostileInsight, requested: Requested) => {
  const { status, body } = await service.call('GET', `${path}/persons/${insight.path}`, { query: inQuery(requested) });
  return { status, body: body as { attr?: string | null; count?: number; results?: { distinct_ids: string[] }[] } };
};

/** A few at a time: the engine has more than one hand. */
const atOnce = async <T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> => {
  const left = [...items.entries()].reverse();
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop()) await work(next[1], next[0]);
  };
  await Promise.all([lane(), lane(), lane()]);
};

describe(`each of ${texts.length} hostile texts in ${hostileInsights.length} insights`, () => {
  it('is enough of them', () => {
    const sizes = hostileInsights.map((insight, shift) => sampleOf(insight, shift).length);
    expect(Math.min(...sizes.slice(0, 2))).toBeGreaterThanOrEqual(60);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(300);
  });

  it.each(hostileInsights)(
    'finds whom it names and nobody else: $name',
    async (insight) => {
      const wrong: unknown[] = [];
      await atOnce(sampleOf(insight, hostileInsights.indexOf(insight)), async (text) => {
        const { status, body } = await ask(insight, { ...insight.exactly(text), include: 'persons' });
        const found = body.results?.map(({ distinct_ids: ids }) => ids.join());
        if (status !== 200 || body.count !== 1 || found?.join() !== `h${texts.indexOf(text)}`)
          wrong.push([text, status, found ?? body]);
      });
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  it.each(hostileInsights)(
    'is an answer or a complaint that names the place, wherever it stands: $name',
    async (insight) => {
      const wrong: unknown[] = [];
      const turns = insight.anywhere.flatMap(([attr, of], place) =>
        texts.filter((_, n) => (n + place) % step === 0).map((text) => ({ attr, text, requested: of(text) })),
      );
      await atOnce(turns, async ({ attr, text, requested }) => {
        const { status, body } = await ask(insight, { include: 'persons', ...requested });
        const isNamed = status === 400 && body.attr?.split('.')[0] === attr;
        if (status !== 200 && !isNamed) wrong.push([attr, text, status, body]);
      });
      expect(wrong).toEqual([]);
    },
    600_000,
  );

  it('has left everything as it was', async () => {
    expect(await tablesThere()).toEqual(tables);
    const [persons, events] = await Promise.all(
      ['persons', 'events'].map(async (list) => {
        const answer = await service.call('GET', `${path}/${list}`, { query: { limit: 1 } });
        return (answer.body as { count: number }).count;
      }),
    );
    expect([persons, events]).toEqual([texts.length, 3 * texts.length]);
  });
});
