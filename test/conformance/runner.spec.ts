import { describe, expect, it } from '@jest/globals';
import { type Case } from './case.js';
import { type Answers, type SentRequest, startFakeService } from './fake-service.js';
import { Http } from './http.js';
import { type JsonObject } from './json.js';
import { lineOf, outcomeOf, type Deviations } from './outcome.js';
import { runCase, type Run } from './run-case.js';

const person = (...ids: string[]) => ({ distinct_ids: ids, properties: {} });
const page = (people: readonly JsonObject[], insight: JsonObject = {}) => ({
  body: { count: people.length, next: null, previous: null, results: people, insight },
});
/** As a row would: the persons of the selected point, and always the same insight. */
const answering =
  (insight: JsonObject, people: (parameters: JsonObject) => readonly JsonObject[] = () => []) =>
  ({ parameters }: SentRequest) =>
    page(people(parameters), insight);

const caseOf = (insight: string, params: JsonObject, expected: JsonObject, more: Partial<Case> = {}): Case => ({
  name: 'a case',
  now: '2024-03-10T00:00:00Z',
  timezone: 'UTC',
  persons: [person('ada', 'ada-2'), person('bob')],
  events: [],
  cohorts: [],
  request: { insight, params },
  expect: expected,
  ...more,
});

const run = async (
  answers: Answers,
  given: Case,
): Promise<{ run: Run; lines: string[]; requests: readonly SentRequest[] }> => {
  const fake = await startFakeService(answers);
  try {
    const done = await runCase(new Http(fake.url, 'phx_fake'), given);
    return { run: done, lines: done.differences.map(lineOf), requests: fake.requests };
  } finally {
    fake.stop();
  }
};

const linesOf = async (answers: Answers, given: Case): Promise<string[]> => (await run(answers, given)).lines;

describe('funnel cases', () => {
  const step = (order: number, name: string, count: number, time: number | null) => ({
    order,
    name,
    count,
    average_conversion_time: time,
    median_conversion_time: time,
  });
  const both = [person('ada-2', 'ada'), person('bob')];
  const reached = ({ funnel_step: n }: JsonObject) => (n === 2 ? both.slice(0, 1) : n === -2 ? both.slice(1) : both);
  const params = { insight: 'FUNNELS', events: [{ id: 'a', order: 0 }], actions: [{ id: 'a1', order: 1 }] };
  const action = { ref: 'a1', name: 'paid', steps: [{ event: 'pay', url: '/x', url_matching: 'exact' }] };
  const expected = {
    steps: [step(0, 'a', 2, null), { ...step(1, 'paid', 1, 60) }],
    persons: { 2: ['ada'], '-2': ['bob'] },
  };
  const given = caseOf('funnel', params, expected, { actions: [action] });
  const row = 'POST persons/funnel';

  it('pass with the right steps and persons, actions of the scene named by their ids', async () => {
    const steps = [step(0, 'a', 2, null), step(1, 'paid', 1, 60)];
    const { lines, requests } = await run({ [row]: answering({ steps }, reached) }, given);
    expect(lines).toEqual([]);
    const sent = requests.find(({ path }) => path === 'persons/funnel');
    expect(sent?.now).toBe('2024-03-10T00:00:00Z');
    expect(sent?.parameters).toEqual({
      events: [{ id: 'a', order: 0 }],
      actions: [{ id: 33, order: 1 }],
    });
    const made = requests.find(({ path }) => path === 'actions');
    expect(made?.parameters).toEqual({ name: 'paid', steps: action.steps });
  });

  it('name the wrong count, and a count that is not that of its persons', async () => {
    const steps = [step(0, 'a', 2, null), step(1, 'paid', 2, 60)];
    expect(await linesOf({ [row]: answering({ steps }, reached) }, given)).toEqual([
      'steps.1.count: expected 1, got 2',
      'persons behind step 2: expected 2, got 1',
    ]);
  });

  it('compare steps and persons of every breakdown value, cohorts by their name', async () => {
    const cohort = { ref: 'c1', body: { name: 'fans', groups: [] } };
    const split = { ...params, breakdown: ['all', 'c1'], breakdown_type: 'cohort' };
    const expected = {
      breakdown_values: ['all users', 'fans'],
      steps_per_breakdown: 1,
      persons_by_breakdown: { all: { 1: ['ada', 'bob'] }, c1: { 1: ['ada'] } },
    };
    const of = ({ breakdown_value: value }: JsonObject) => (value === 77 ? both.slice(0, 1) : both);
    const breakdown = [
      { value: 'all', steps: [{}] },
      { value: 77, steps: [{}, {}] },
    ];
    const answers = { [row]: answering({ breakdown }, of) };
    expect(
      await linesOf(answers, {
        ...given,
        cohorts: [cohort],
        expect: expected,
        request: { insight: 'funnel', params: split },
      }),
    ).toEqual(['steps of breakdown "fans": expected 1, got 2']);
  });
});

describe('cases of the other rows', () => {
  it('correlation: rows by name in their order, odds to seven places', async () => {
    const found = { event: 'e', property: 'p', value: 'v', success_count: 5, failure_count: 0, odds_ratio: 5.5 };
    const given = caseOf(
      'funnel_correlation',
      {},
      {
        events: [{ event: 'e::p::v', success_count: 5, failure_count: 1, odds_ratio: 5.50000001 }],
      },
    );
    expect(await linesOf({ 'POST persons/funnel/correlation': answering({ correlations: [found] }) }, given)).toEqual([
      'events.0.failure_count: expected 1, got 0',
    ]);
  });

  it('lifecycle: a number that is not that of its persons is noticed', async () => {
    const insight = { days: ['2024-03-01'], new: [2], returning: [0], resurrecting: [0], dormant: [-1] };
    const given = caseOf('lifecycle', { shown_as: 'Lifecycle' }, { ...insight, days_derived: true });
    const people = ({ lifecycle_type: kind }: JsonObject) =>
      kind === 'new' || kind === 'dormant' ? [person('ada')] : [];
    expect(await linesOf({ 'GET persons/lifecycle': answering(insight, people) }, given)).toEqual([
      'persons behind new of 2024-03-01: expected 2, got 1',
    ]);
  });

  it('paths: edges in order or as a set, persons of a point', async () => {
    const edge = (target: string, value: number) => ({ source: '1_/', target, value, average_conversion_time: 60000 });
    const edges = [edge('2_/b', 2), edge('2_/a', 2)];
    const given = (ordered: boolean) =>
      caseOf(
        'paths',
        {},
        {
          edges: [edge('2_/a', 2), edge('2_/b', 3)],
          ordered,
          persons_at: { path_end_key: '2_/a', persons: ['bob'] },
        },
      );
    const answers = { 'POST persons/path': answering({ edges }, () => [person('bob')]) };
    const value = 'edges 1_/ → 2_/b.value: expected 3, got 2';
    expect(await linesOf(answers, given(false))).toEqual([value]);
    expect(await linesOf(answers, given(true))).toHaveLength(2);
  });

  it('retention: triangular rows, first date by the zone, appearances of a person', async () => {
    const insight = { labels: ['Day 0', 'Day 1'], dates: ['2024-03-01', '2024-03-02'], matrix: [[1, 1], [1]] };
    const given = caseOf(
      'retention',
      {},
      {
        labels: ['Day 0', 'Day 1'],
        matrix_rectangular: [
          [1, 0],
          [1, 7],
        ],
        first_date: '2024-03-01T00:00:00Z',
        persons_ordered: ['ada'],
        appearances_rows: { ada: [1, 0] },
      },
    );
    const people = () => [{ ...person('ada'), appearances: [1, 1] }];
    expect(await linesOf({ 'GET persons/retention': answering(insight, people) }, given)).toEqual([
      'appearances_rows.ada: expected [1,0], got [1,1]',
      'matrix_rectangular.0: expected [1,0], got [1,1]',
    ]);
  });

  it('stickiness: open points leave the length open, labels follow from days and interval', async () => {
    const series = [{ label: 'a', order: 0, days: [1, 2, 3], data: [0, 2, 0], count: 2 }];
    const people = ({ stickiness_days: n }: JsonObject) => (n === 2 ? [person('ada'), person('bob')] : []);
    const answers = { 'GET persons/stickiness': answering({ interval: 'week', series }, people) };
    const given = (data: (number | null)[]) =>
      caseOf('stickiness', {}, { series: [{ label: 'a', days: [1, 2], data, labels: ['1 week', '2 weeks'] }] });
    expect(await linesOf(answers, given([null, 2]))).toEqual([]);
    expect(await linesOf(answers, given([0, 2]))).toHaveLength(3);
  });

  it('trends: single days, sums, breakdown values and the persons behind a day', async () => {
    const one = (value: string, data: number[]) => ({
      label: value,
      breakdown_value: value,
      days: ['2024-03-01', '2024-03-02'],
      data,
    });
    const given = caseOf(
      'trends',
      { breakdown: 'k', events: [{ id: 'a' }] },
      {
        ordered: false,
        series_count: 2,
        series: [
          { breakdown: 'x', data_at: { '2024-03-02': 2 } },
          { label: 'y', data_sum: 3 },
        ],
        persons_by_breakdown: { x: ['ada', 'bob'] },
        value_at_data_point: { x: { ada: 2, bob: 1 } },
      },
    );
    const people = () => [
      { ...person('ada'), value_at_data_point: 2 },
      { ...person('bob'), value_at_data_point: 1 },
    ];
    const answers = (y: number[]) => ({
      'GET persons/trends': answering({ series: [one('y', y), one('x', [0, 2])] }, people),
    });
    expect(await linesOf(answers([1, 2]), given)).toEqual([]);
    expect(await linesOf(answers([1, 1]), given)).toEqual([expect.stringContaining('series.1: expected {"label":"y"')]);
  });

  it('cohorts: members by the first distinct id they have in the case', async () => {
    const given = caseOf(
      'cohort',
      { cohort: 'target' },
      { members: ['ada'] },
      {
        cohorts: [{ ref: 'target', body: { groups: [] } }],
      },
    );
    const members = (...people: JsonObject[]) => ({ 'GET cohorts/77/persons': () => page(people) });
    expect(await linesOf(members(person('ada-2', 'ada')), given)).toEqual([]);
    expect(await linesOf(members(person('bob')), given)).toEqual(['members: expected ["ada"], got ["bob"]']);
  });

  it('persons: steps, paths in old forms, what was captured', async () => {
    const params = {
      steps: [{ method: 'POST', path: '/api/person/{uuid of bob}/update_property/', body: { key: 'k' } }],
    };
    const given = caseOf('persons_api', params, {
      steps: [{ status: 200, json: { detail: 'any wording' } }],
      captured_events: [{ event: '$set', properties: { $set: { k: 'v' } } }],
    });
    const answers = (value: string): Answers => ({
      'GET persons': () => page([{ ...person('bob'), uuid: 'u-1' }]),
      'POST persons/u-1/update_property/': () => ({ body: { detail: 'our wording' } }),
      'GET events': () => page([{ uuid: 'e', event: '$set', properties: { $set: { k: value }, token: 'x' } }]),
    });
    expect(await linesOf(answers('v'), given)).toEqual([]);
    expect(await linesOf(answers('w'), given)).toEqual(['captured_events.0.properties.$set.k: expected v, got w']);
  });

  it('ingest: the whole state afterwards', async () => {
    const params = { capture: [{ event: '$create_alias', distinct_id: 'new', properties: { alias: 'old' } }] };
    const given = caseOf('ingest', params, { persons: [{ distinct_ids: ['new', 'old'] }], events_count: 1 });
    const answers = (people: readonly JsonObject[]): Answers => ({
      'POST /batch': () => ({ body: { status: 1, accepted: 1 } }),
      'GET persons': () => page(people),
      'GET events': () => page([{ uuid: 'e' }]),
    });
    expect(await linesOf(answers([person('old', 'new')]), given)).toEqual([]);
    expect(await linesOf(answers([person('old'), person('new')]), given)).toHaveLength(1);
  });
});

describe('a case', () => {
  const refused = { 'POST persons/funnel': () => ({ status: 400, body: { type: 'validation_error' } }) };
  const answered = { 'POST persons/funnel': answering({ steps: [] }) };

  it('that expects a refusal is not content with an answer, nor with a missing route', async () => {
    const given = caseOf('funnel', {}, { error: 'validation' });
    expect(await linesOf(refused, given)).toEqual([]);
    expect(await linesOf(answered, given)).toEqual(['status: expected 400, got 200']);
    expect(await linesOf({}, given)).toEqual(['status: expected 400, got 404']);
  });

  it('that says more than the checker understands fails by the name of it', async () => {
    expect(await linesOf(answered, caseOf('funnel', {}, { steps: [], mood: 'good' }))).toEqual([
      'expect.mood: expected something the checker understands, got an unknown key',
    ]);
    const strange = { ...caseOf('funnel', {}, { steps: [] }), settings: { x: 1 }, team: { logo: 'x' } };
    expect(await linesOf(answered, strange)).toHaveLength(2);
  });

  it('with a parameter that the contract does not know is not put, and says which', async () => {
    const { run: done, requests } = await run(answered, caseOf('funnel', { sampling_factor: 0.1 }, { steps: [] }));
    expect(done.notExpressible).toBe('the parameter sampling_factor is not in the contract');
    expect(requests.filter(({ path }) => path === 'persons/funnel')).toEqual([]);
    expect(outcomeOf('f', caseOf('funnel', {}, {}), done, {}).verdict).toBe('skipped');
  });

  it('on the list of deviations may differ, but not break, and leaves the list once it passes', async () => {
    const given = caseOf('funnel', {}, { steps: [{ name: 'a' }] });
    const listed: Deviations = { 'f/a case': 'because' };
    const verdict = async (answers: Answers, deviations: Deviations, of = given) =>
      outcomeOf('f', of, (await run(answers, of)).run, deviations).verdict;
    expect(await verdict(answered, {})).toBe('failed');
    expect(await verdict(answered, listed)).toBe('deviation');
    expect(await verdict({}, listed)).toBe('failed');
    expect(await verdict(answered, listed, { ...given, expect: { steps: [] } })).toBe('failed');
    expect(await verdict(answered, {}, { ...given, quirk: true })).toBe('deviation');
  });
});
