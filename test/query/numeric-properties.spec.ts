import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { Questions, type QueryAnswer } from './asking.js';

let service: ServiceHandle;
let questions: Questions;

const eventOf = (distinct_id: string, event: string, properties: object) => ({
  ...{ type: 'event', distinct_id, event, timestamp: '2026-03-01T00:00:00Z', properties },
});

/** As texts the largest `value` is 99.9, and the most `orders` are 9. */
beforeAll(async () => {
  service = await sharedService();
  questions = new Questions(service, service.project.id);
  await importLines(service, service.project.id, [
    personLine('ada', { orders: 9 }),
    personLine('bob', { orders: 11 }),
    eventOf('ada', 'paid', { value: 99.9, floor: 100, mixed: 9, code: '007', on: true }),
    eventOf('bob', 'paid', { value: 100.8, floor: 9, mixed: 'ten', code: '11', on: false }),
    eventOf('cyd', 'paid', { value: 2306.97, floor: 9, mixed: 11, code: '9' }),
    eventOf('dan', 'left', {}),
  ]);
});
afterAll(() => service.stop());

const values = async (query: string): Promise<readonly unknown[]> => (await questions.rows(query)).flat();

describe('a property that is always a number', () => {
  it.each([
    ['max(properties.value), min(properties.value) from events', [2306.97, 99.9]],
    ['maxIf(properties.value, distinct_id != {cyd}) from events', [100.8]],
    ['properties.value from events where event = {paid} order by properties.value desc', [2306.97, 100.8, 99.9]],
    ['properties.value v from events where v > 100 order by v', [100.8, 2306.97]],
    ['argMax(distinct_id, properties.value), argMin(distinct_id, properties.value) from events', ['cyd', 'ada']],
    ['greatest(properties.value, {1}) from events where event = {paid} order by 1', [99.9, 100.8, 2306.97]],
    ['least(properties.value, properties.floor) from events where event = {paid} order by 1', [9, 9, 99.9]],
    ['distinct_id from events where properties.floor > properties.value', ['ada']],
    ['distinct_id from events where properties.value > {100} order by 1', ['bob', 'cyd']],
    ['distinct_id from events where properties.value between {100} and {200}', ['bob']],
    ['distinct_id from events where properties.value > (select avg(properties.value) from events)', ['cyd']],
    ['max(v) from (select properties.value as v from events)', [2306.97]],
    ['person.properties.orders o from events where o is not null group by o order by o desc', [11, 9]],
    ['properties.orders from persons where properties.orders > {9}', [11]],
    ['arraySort(groupArray(properties.value)) from events', [[99.9, 100.8, 2306.97]]],
    ['row_number() over (order by properties.value) from events where distinct_id = {cyd}', [1]],
    ['count() from events where properties.value is null', [1]],
    ['distinct_id from events where properties.value = greatest(properties.value, properties.floor, 200)', ['cyd']],
    ['sum(if(distinct_id = {ada}, properties.floor, 0)) from events', [100]],
    ['max((properties.value, distinct_id)).2 from events', ['cyd']],
    ['distinct_id from events order by (properties.floor, distinct_id) limit 1', ['bob']],
  ])('is read as one: select %s', async (query, expected) => {
    expect(await values(`select ${query.replaceAll(/\{(\w+)\}/g, "'$1'")}`)).toEqual(expected);
  });

  it.each([
    ["properties.floor = '100', properties.floor in ('100', '9'), properties.floor != '100.0'", [1, 1, 1]],
    ["properties.floor like '1%', properties.value || '!'", [1, '99.9!']],
    ["concat('v', properties.value), length(properties.value), upper(properties.value)", ['v99.9', 4, '99.9']],
    ["coalesce(properties.value, 'none'), if(true, properties.value, 'none')", ['99.9', '99.9']],
    ["case when true then properties.value else 'none' end, nullIf(properties.floor, '')", ['99.9', '100']],
    ['coalesce(properties.value, 0), ifNull(properties.value, properties.floor)', [99.9, 99.9]],
    ['cast(properties.floor as String), toString(properties.value), toInt(properties.floor)', ['100', '99.9', 100]],
    [
      '[properties.value, properties.code], [properties.value, 1]',
      [
        ['99.9', '007'],
        [99.9, 1],
      ],
    ],
    ['properties.floor = properties.code, properties.floor = distinct_id', [0, 0]],
    ['properties.floor is not distinct from properties.floor, properties.floor[1]', [1, null]],
  ])('is a text for what needs one: select %s', async (list, expected) => {
    expect(await values(`select ${list} from events where distinct_id = 'ada'`)).toEqual(expected);
  });

  it('has the type of a number, in a table and after a sub-query, and groups by its value', async () => {
    const typesOf = async (query: string): Promise<QueryAnswer['types']> => (await questions.answer(query)).types;
    expect(await typesOf('select properties.value from events')).toEqual([['value', 'Nullable(Float64)']]);
    expect(await values('select upper(v) from (select properties.value v from events) where v = 99.9')).toEqual([
      '99.9',
    ]);
    const grouped =
      'select lower(properties.floor), count() from events where event = {e} group by properties.floor order by 2';
    expect(await questions.rows(grouped, { values: { e: 'paid' } })).toEqual([
      ['100', 1],
      ['9', 2],
    ]);
  });

  it('fits beside other columns in UNION, IN and JOIN', async () => {
    expect(
      await values("select 'all' a union all select properties.floor from events where distinct_id = 'ada'"),
    ).toEqual(expect.arrayContaining(['all', '100']));
    expect(
      await values('select count() from events where properties.code in (select properties.floor from events)'),
    ).toEqual([1]);
    expect(
      await values('select count() from events where properties.floor in (select properties.code from events)'),
    ).toEqual([2]);
    expect(
      await values('select count() from events where properties.floor in (select properties.floor from events)'),
    ).toEqual([3]);
    const texts = 'select properties.code as v from events';
    const numbers = 'select properties.floor as v from events';
    expect(await values(`select count() from (${numbers}) a join (${texts}) b using (v)`)).toEqual([2]);
    const joined = 'from events a join events b on a.properties.floor = b.properties.code';
    expect(await values(`select count() ${joined}`)).toEqual([2]);
  });
});

describe('a property that is not always a number', () => {
  it('is a text, and the answer warns where it is one sometimes', async () => {
    const { results, warnings } = (await questions.answer(
      'select max(properties.mixed), max(properties.code) from events',
    )) as QueryAnswer & { warnings: unknown };
    expect(results).toEqual([['ten', '9']]);
    expect(warnings).toEqual([
      { code: 'mixed_types', detail: expect.stringMatching(/^the event property mixed has numbers/) },
    ]);
  });

  it('is a text as a boolean, and where no event has it', async () => {
    expect(await values('select properties.on from events where properties.on = true')).toEqual(['true']);
    expect((await questions.answer('select properties.absent from events limit 1')).types[0]?.[1]).toBe(
      'Nullable(String)',
    );
  });

  it('changes with the first other value that arrives, and in no other project', async () => {
    const other = await service.newProject();
    await importLines(service, other.id, [
      eventOf('ada', 'paid', { value: 'free' }),
      eventOf('ada', 'paid', { value: '9' }),
    ]);
    const others = new Questions(service, other.id);
    expect(await others.rows('select max(properties.value) from events')).toEqual([['free']]);
    const third = await service.newProject();
    const own = new Questions(service, third.id);
    await importLines(service, third.id, [eventOf('ada', 'paid', { value: 9 }), eventOf('ada', 'paid', { value: 10 })]);
    expect(await own.rows('select max(properties.value) from events')).toEqual([[10]]);
    await importLines(service, third.id, [eventOf('ada', 'paid', { value: 'free' })]);
    expect(await own.rows('select max(properties.value) from events')).toEqual([['free']]);
  });
});

describe('any numbers', () => {
  // Longer whole numbers that JavaScript writes without an exponent are texts for ClickHouse, whose JSON refuses them.
  const isStoredAsNumber = (n: number) => Math.abs(n) < 2 ** 63 || Math.abs(n) >= 1e21;
  const real = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isStoredAsNumber);
  const numbers = fc.array(fc.oneof(fc.integer(), real), { minLength: 2, maxLength: 12 });

  it('are sorted and compared as JavaScript does it', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (generated) => {
        const sent = generated.map((number) => number + 0);
        const project = await service.newProject();
        await importLines(
          service,
          project.id,
          sent.map((n, at) => eventOf(`d${at}`, 'sent', { n })),
        );
        const ask = new Questions(service, project.id);
        const sorted = [...sent].sort((a, b) => a - b);
        const [first, last] = [sorted[0], sorted.at(-1)];
        expect((await ask.rows('select properties.n from events order by properties.n')).flat()).toEqual(sorted);
        expect(await ask.rows('select min(properties.n), max(properties.n) from events')).toEqual([[first, last]]);
        const larger = sent.filter((n) => n > (first as number)).length;
        const question = `select count() from events where properties.n > (select min(properties.n) from events)`;
        expect(await ask.rows(question)).toEqual([[larger]]);
      }),
      { numRuns: 8 },
    );
  });
});
