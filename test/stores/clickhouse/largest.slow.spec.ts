import { afterAll, describe, expect, it } from '@jest/globals';
import { aggregateFunctions, scalarFunctions, windowFunctions } from '../../../src/sql/functions/allowed-functions.js';
import { boundedNames } from '../../../src/sql/functions/bounded-functions.js';
import { sampleOf } from '../../support/sample.js';
import { CorpusService } from '../../support/query/corpus-service.js';
import {
  largestAggregates,
  largestCalls,
  largestWindows,
  type LargestCall,
} from '../../support/query/largest-arguments.js';
import { mostNested, nestingForms } from '../../support/query/nesting-forms.js';

const service = new CorpusService();
afterAll(() => service.stop());

/** The calls that a function takes, at the largest size that it answers. */
const complaintsAbout = async (calls: readonly LargestCall[]): Promise<string[]> => {
  const complaints: string[] = [];
  for (const { trial, questions } of calls) {
    const tried = await service.complaint(trial);
    if (tried.complaint) complaints.push(`${tried.complaint}: ${trial}`);
    if (tried.outcome.status !== 200) continue;
    for (const question of questions) {
      const { outcome, complaint } = await service.complaint(question);
      if (complaint) complaints.push(`${complaint}: ${question}`);
      if (complaint || outcome.status === 200) break;
    }
  }
  return complaints;
};

const minutes = process.env.EVERY_CASE ? 10 * 60_000 : 300_000;

describe('a call with the largest arguments ends within the limit', () => {
  it.each(sampleOf(Object.values(scalarFunctions).flat(), 400))(
    '%s',
    async (name) => {
      expect(await complaintsAbout(largestCalls(name))).toEqual([]);
    },
    minutes,
  );

  it.each(sampleOf(aggregateFunctions, 100))(
    '%s',
    async (name) => {
      expect(await complaintsAbout(largestAggregates(name))).toEqual([]);
    },
    minutes,
  );

  it.each(sampleOf([...windowFunctions, 'sum', 'quantileExact', 'uniqExact', 'groupArray', 'max'], 8))(
    '%s OVER',
    async (name) => {
      expect(await complaintsAbout(largestWindows(name))).toEqual([]);
    },
    minutes,
  );

  it('that of the finding, too', async () => {
    const { outcome, complaint } = await service.complaint(
      'select arrayLevenshteinDistance(range(2000000), arrayReverse(range(2000000)))',
    );
    expect([complaint, outcome.status]).toEqual([null, 400]);
  });
});

describe('a form that can be nested is refused before its analysis takes long', () => {
  it.each(sampleOf(Object.keys(nestingForms), 6))(
    '%s',
    async (form) => {
      for (let count = 1; count <= mostNested; count *= 2) {
        const { outcome, complaint } = await service.complaint(nestingForms[form]?.(count) ?? '');
        expect([count, complaint]).toEqual([count, null]);
        if (outcome.status === 400) break;
      }
    },
    minutes,
  );
});

/** Arguments of all bounded functions, beyond their limits: of one row, and of each row `i`. */
const ofLarge = [
  'l, arrayReverse(l), l, l',
  'l, arrayReverse(l)',
  't, reverse(t)',
  "t, 'a.*b|a'",
  "t, 'a.*b|a', 'b'",
  "'a.*b|a', t",
  '(a, x) -> a + x, l, toUInt64(0)',
  '9999999',
];
const ofRows = [
  'arrayMap(x -> x + i, range(400))',
  "'a', concat('\\\\pL', toString(i))",
  "'a', concat('\\\\pL', toString(i)), 'b'",
];

describe('a bounded function', () => {
  const large = "select repeat('a', 200000) as t, range(200000) as l";
  it.each(boundedNames)('is refused beyond its limit, and the refusal names it: %s', async (name) => {
    const details: string[] = [];
    const refused = new RegExp(`^Line 1, column \\d+: ${name} (compares|may take|compiles|makes)`, 'i');
    const all = [
      ...ofLarge.map((args) => `select ${name}(${args}) as v from (${large})`),
      ...ofRows.map((args) => `select ${name}(${args}) as v from (select arrayJoin(range(100000)) as i)`),
    ];
    for (const question of all) {
      if (details.some((detail) => refused.test(detail))) break;
      details.push((await service.ask(question)).detail);
    }
    expect(details).toContainEqual(expect.stringMatching(refused));
  });

  it.each([
    "select levenshteinDistance(event, 'abc') as v from events",
    "select replaceRegexpAll(event, '[0-9]+', '#') as v from events",
    "select extractAll(properties.$current_url, '[a-z]+') as v from events",
    "select event from events where match(event, '^a')",
    'select arrayFold((sum, x) -> sum + x, [1, 2, 3], toInt64(0)) as v from events',
    'select arrayMap(x -> arrayMap(y -> x + y, range(3)), range(length(event))) as v from events',
    'select has(range(1, 30), length(event)) as v from events group by v',
    "select arrayLevenshteinDistance(groupArray(event), ['a', 'b']) as v from events group by distinct_id",
  ])('is answered within its limit: %s', async (question) => {
    expect(await service.ask(question)).toMatchObject({ status: 200 });
  });
});
