import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { hostileTexts } from '../support/hostile-texts.js';
import { sampleOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
beforeAll(async () => {
  service = await sharedService();
  const lines = hostileTexts.flatMap((key) => [
    { type: 'person', distinct_ids: [`of ${key}`.slice(0, 200)], properties: { [key]: key } },
    { type: 'event', event: 'seen', distinct_id: 'x', uuid: randomUUID(), timestamp, properties: own(key, key) },
  ]);
  const answer = await fetch(`${service.url}/api/projects/${service.project.id}/import?create_persons=false`, {
    method: 'POST',
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
  });
  expect(await answer.json()).toMatchObject({ rejected: [] });
});
afterAll(() => service.stop());

const timestamp = '2024-01-01T00:00:00Z';
/** An object with exactly this key, `__proto__` included. */
const own = (key: string, value: unknown): object =>
  JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as object;

const requested = async (filter: object): Promise<{ status: number; found: object[] }> => {
  const { status, body } = await service.call('GET', `/api/projects/${service.project.id}/events`, {
    query: { properties: JSON.stringify([filter]), limit: 1000 },
  });
  const { results = [] } = body as { results?: { properties: object }[] };
  return { status, found: results.map(({ properties }) => properties) };
};

describe('a hostile key and value', () => {
  it('are what they are', async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(100);
    for (const text of sampleOf(hostileTexts, 3).filter(({ length }) => length <= 1000)) {
      const mine = { status: 200, found: [own(text, text)] };
      expect([text, await requested({ key: text, value: text })]).toEqual([text, mine]);
      expect([text, await requested({ key: text, operator: 'is_set' })]).toEqual([text, mine]);
      expect([text, await requested({ key: text, value: [text, 'other'], operator: 'icontains' })]).toEqual([
        text,
        mine,
      ]);
    }
  });

  it('of 10 kB is refused, one of 1,000 characters is looked for', async () => {
    const long = `${'k'.repeat(5000)}'${'.'.repeat(5000)}`;
    const longest = long.slice(4500, 5500);
    for (const filter of [
      { key: long, operator: 'is_set' },
      { key: 'plan', value: long },
    ]) {
      expect(await requested(filter)).toEqual({ status: 400, found: [] });
    }
    expect(await requested({ key: longest, value: longest })).toEqual({ status: 200, found: [] });
  });

  it('never end in anything but an answer or a 400', async () => {
    for (const text of sampleOf(hostileTexts, 3, 1)) {
      for (const operator of ['regex', 'between', text]) {
        const { status } = await requested({
          key: text,
          operator,
          value: operator === 'between' ? [text, text] : text,
        });
        expect([200, 400]).toContain(status);
      }
      expect((await requested({ key: 'plan', value: 'x', [`x${text}`]: 1 })).status).toBe(400);
      const { status } = await requested({ type: 'person', key: text, operator: 'is_not', value: text });
      expect(status).toBe(text.length > 1000 ? 400 : 200);
    }
    const { count } = (await service.call('GET', `/api/projects/${service.project.id}/events`)).body as {
      count: number;
    };
    expect(count).toBe(hostileTexts.length);
  });
});
