import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '../support/service.js';

const fragments = [
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  "''",
  "' OR 1=1 --",
  "'; DROP TABLE events; --",
  '1) OR (1=1',
  '/*',
  '*/',
  '--',
  '#',
  ';',
  '{p1:String}',
  '{p1}',
  '$1',
  '$$',
  '${text}',
  '%',
  '%2E',
  '%252E',
  '%25',
  '.',
  '..',
  'a.b',
  'a..b',
  '.a',
  'a.',
  'a%2Eb',
  '$',
  '$set',
  '^a',
  'a[]',
  'a[1]',
  'a.:`Int64`',
  'a::String',
  'a.null',
  'a.size0',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'NULL',
  'true',
  'nan',
  'inf',
  '-inf',
  '0',
  '-0',
  '1e309',
  '0x10',
  '9223372036854775808',
  '\t',
  '\n',
  '\r\n',
  '\u0001',
  '\u007f',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\u202eabc',
  '😀',
  '👩‍👩‍👧',
  'é',
  'e\u0301',
  'ß',
  'İ',
  'Ω',
  'ﬀ',
  '漢字',
  'עברית',
  '\u{10ffff}',
  ' ',
  '  ',
  ' a',
  'a ',
  '*',
  '?',
  '+',
  '(',
  ')',
  '[',
  ']',
  '|',
  '_',
  'a_b',
  '100%',
  '\\N',
  '\\x00',
  '\\u0000',
  '\\0',
  '<script>',
  '=1+1',
  '@x',
  '&amp;',
  '%00',
  '%0a',
  '?a=b&c=d',
  'SELECT * FROM persons',
  'UNION ALL SELECT 1',
  "' UNION SELECT api_token FROM projects --",
  'SETTINGS readonly=0',
  'FORMAT Null',
  'x'.repeat(3000),
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const lines = fragments.flatMap((key) => [
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

const asked = async (filter: object): Promise<{ status: number; found: object[] }> => {
  const { status, body } = await service.call('GET', `/api/projects/${service.project.id}/events`, {
    query: { properties: JSON.stringify([filter]), limit: 1000 },
  });
  const { results = [] } = body as { results?: { properties: object }[] };
  return { status, found: results.map(({ properties }) => properties) };
};

describe('a hostile key and value', () => {
  it(`are what they are, ${fragments.length} of them`, async () => {
    expect(fragments.length).toBeGreaterThanOrEqual(100);
    for (const text of fragments) {
      const mine = { status: 200, found: [own(text, text)] };
      expect([text, await asked({ key: text, value: text })]).toEqual([text, mine]);
      expect([text, await asked({ key: text, operator: 'is_set' })]).toEqual([text, mine]);
      expect([text, await asked({ key: text, value: [text, 'other'], operator: 'icontains' })]).toEqual([text, mine]);
    }
  });

  it('may be 10 kB long', async () => {
    const long = `${'k'.repeat(5000)}'${'.'.repeat(5000)}`;
    for (const filter of [
      { key: long, operator: 'is_set' },
      { key: 'plan', value: long },
    ]) {
      expect(await asked(filter)).toEqual({ status: 200, found: [] });
    }
  });

  it('never end in anything but an answer or a 400', async () => {
    for (const text of fragments) {
      for (const operator of ['regex', 'between', text]) {
        const { status } = await asked({ key: text, operator, value: operator === 'between' ? [text, text] : text });
        if (text.length < 1000 || operator !== 'regex') expect([200, 400]).toContain(status);
      }
      expect((await asked({ key: 'plan', value: 'x', [`x${text}`]: 1 })).status).toBe(400);
      expect((await asked({ type: 'person', key: text, operator: 'is_not', value: text })).status).toBe(200);
    }
    const { count } = (await service.call('GET', `/api/projects/${service.project.id}/events`)).body as {
      count: number;
    };
    expect(count).toBe(fragments.length);
  });
});
