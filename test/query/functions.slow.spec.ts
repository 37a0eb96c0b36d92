import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aggregateFunctions, scalarFunctions, windowFunctions } from '../../src/sql/functions/allowed-functions.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { captured } from './questions/scene.js';

/** All of them in the long run. */
const nth = process.env.EVERY_STATEMENT ? 1 : 60;

/** Arguments of all kinds: most functions take one of them. */
const scalarArguments = [
  '',
  "'a'",
  '5',
  "'a', 'b'",
  '1, 2',
  '[1, 2]',
  'now()',
  "'2024-01-02 03:04:05'",
  'x -> x > 1, [1, 2]',
  "['a'], ['b']",
  '[1, 2], 1',
  "'a', 1",
  'now(), 1',
  "'a', 'b', 'c'",
  '1, 2, 3',
  "'a,b', ','",
  "'{\"a\":1}', 'a'",
  "'127.0.0.1'",
  "'day', now()",
  "'day', now(), now()",
  "map('a', 1)",
  "map('a', 1), 'a'",
  '(1, 2), (3, 4)',
  '(1, 2), 2',
  "'a', ['b']",
  '1.5, 2.5',
  'generateUUIDv4()',
  'now(), interval 1 day',
  '1, 2, 3, 4',
  "'https://example.test/a?b=c', 'b'",
];
const aggregateArguments = [
  '',
  'x',
  'x, y',
  'x > 1',
  'x > 1, y > 1',
  't, x > 1, y > 1',
  'x, y, t',
  '[x]',
  'z',
  'z, x',
  't, x',
];
const frames = ['', ' rows between unbounded preceding and unbounded following'];
const parameters = ['', '(1)', '(0.5)', '(2)', "('(?1)(?2)')", "(',')", '(0.1, 0.9)', '(1, 2)'];

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
  await captured(service, service.project, [
    { event: 'a', distinct_id: 'ada', timestamp: '2024-01-01T00:00:00Z' },
    { event: 'b', distinct_id: 'bob', timestamp: '2024-01-02T00:00:00Z' },
  ]);
});

afterAll(() => service.stop());

const ask = async (query: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${service.url}/api/projects/${service.project.id}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return { status: answer.status, text: await answer.text() };
};

const engineText = /DB::|Exception|Code: \d|__table\d|Stack trace|In scope/;
const rows = `(select toUnixTimestamp(timestamp) as t, length(event) + 1 as x, toFloat(toHour(timestamp)) as y, event as z from events)`;

/** Asks until one is answered; every refusal must be a plain one. */
const firstAnswered = async (questions: readonly string[]): Promise<{ answered: boolean; faults: string[] }> => {
  const faults: string[] = [];
  for (const question of questions) {
    const { status, text } = await ask(question);
    if (status === 200) return { answered: true, faults };
    if (status !== 400 || engineText.test(text) || !/"line":\d/.test(text))
      faults.push(`${question}\n    ${status} ${text.slice(0, 300)}`);
  }
  return { answered: false, faults };
};

const everyNth = (names: readonly string[]): readonly string[] => names.filter((_, n) => n % nth === 0);

const judge = async (names: readonly string[], questionsOf: (name: string) => readonly string[], share: number) => {
  const silent: string[] = [];
  const faults: string[] = [];
  for (const name of everyNth(names)) {
    const outcome = await firstAnswered(questionsOf(name));
    if (!outcome.answered) silent.push(name);
    faults.push(...outcome.faults);
  }
  expect(faults).toEqual([]);
  if (silent.length > Math.max(1, share * everyNth(names).length))
    throw new Error(`not one call answered: ${silent.join(', ')}`);
};

describe('an allowed function', () => {
  it('of one row answers or refuses plainly', () =>
    judge(
      Object.values(scalarFunctions).flat(),
      (name) => scalarArguments.map((args) => `select ${name}(${args})`),
      0.15,
    ));

  it('of many rows answers or refuses plainly', () =>
    judge(
      aggregateFunctions,
      (name) =>
        parameters.flatMap((some) => aggregateArguments.map((args) => `select ${name}${some}(${args}) from ${rows}`)),
      0.15,
    ));

  it('of a window answers or refuses plainly', () =>
    judge(
      windowFunctions,
      (name) =>
        frames.flatMap((frame) =>
          parameters
            .slice(0, 2)
            .flatMap((some) =>
              aggregateArguments.map((args) => `select ${name}${some}(${args}) over (order by t${frame}) from ${rows}`),
            ),
        ),
      0.3,
    ));

  it.each([
    ["select CAST(toFixedString('abc', 5) AS Bool) from events", 'is not a boolean: use true or false'],
    [String.raw`select isIPAddressInRange('\xff\xfe\0', '%99999999d') from events`, 'cannot be read as the type'],
    ["select toInt8(concat('while receiving packet from', event)) from events", 'cannot be read as the type'],
  ])('whose value the engine cannot read is refused, and is no outage: %s', async (query, meaning) => {
    const { status, text } = await ask(query);
    expect([status, (JSON.parse(text) as { detail: string }).detail]).toEqual([400, expect.stringContaining(meaning)]);
  });
});
