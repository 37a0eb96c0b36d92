import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type NaiveEdge } from '../support/insights/paths.js';
import { walk } from '../support/insights/walk.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

interface Line {
  readonly event: string;
  readonly by: string;
  readonly at: string;
  readonly properties?: object;
}

const page = (by: string, at: string, url: string): Line => ({
  event: '$pageview',
  by,
  at,
  properties: { $current_url: url },
});
const custom = (by: string, at: string, event: string): Line => ({ event, by, at });

const load = async (project: ProjectDto, lines: readonly Line[], query = ''): Promise<void> => {
  const body = lines.map(({ event, by, at, properties = {} }) =>
    JSON.stringify({ type: 'event', event, distinct_id: by, timestamp: `2024-03-01T${at}Z`, properties }),
  );
  const answer = await fetch(`${service.url}/api/projects/${project.id}/import${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
    body: body.join('\n'),
  });
  expect(await answer.json()).toMatchObject({ events: lines.length, rejected: [] });
};

/** Ada's second visit begins a millisecond more than half an hour after her first. */
const scene: readonly Line[] = [
  page('ada', '10:00:00', '/'),
  page('ada', '10:01:00', '/pricing'),
  page('ada', '10:03:00', '/pricing/'),
  custom('ada', '10:05:00', 'signed up'),
  { event: '$screen', by: 'ada', at: '10:35:00', properties: { $screen_name: 'Home' } },
  page('ada', '11:05:00.001', '/'),
  page('ada', '11:07:00.001', '/pricing'),
  page('bob', '10:00:00', '/'),
  page('bob', '10:02:00', '/pricing'),
  page('cyd', '10:00:00', '/pricing'),
  page('cyd', '10:10:00', '/'),
];

let project: ProjectDto;

beforeAll(async () => {
  service = await sharedService();
  project = service.project;
  await load(project, scene);
  await load(
    project,
    [page('nobody', '10:00:00', '/'), custom('nobody', '10:01:00', 'signed up')],
    '?create_persons=false',
  );
});

afterAll(() => service.stop());

const pathOf = ({ id }: ProjectDto) => `/api/projects/${id}/persons/path`;
const march = { date_from: '2024-03-01', date_to: '2024-03-01' };

interface Reply {
  readonly count: number;
  readonly results: readonly { readonly name: string }[];
  readonly insight: { readonly kind: string; readonly edges: readonly NaiveEdge[] };
}

const ask = async (body: object = {}, of: ProjectDto = project): Promise<Reply> => {
  const answer = await service.call('POST', pathOf(of), { body: { ...march, ...body } });
  expect([answer.status, answer.status === 200 ? null : answer.body]).toEqual([200, null]);
  return answer.body as Reply;
};

type Edge = readonly [source: string, target: string, value: number, average: number];

const edgesOf = async (body: object = {}, of: ProjectDto = project): Promise<Edge[]> => {
  const { edges } = (await ask({ ...body, include: 'insight' }, of)).insight;
  return edges.map((edge) => [edge.source, edge.target, edge.value, edge.average_conversion_time]);
};

const namesOf = async (body: object, of: ProjectDto = project): Promise<string[]> => {
  const { count, results } = await ask({ ...body, include: 'persons' }, of);
  expect(results.length).toBe(count);
  return results.map(({ name }) => name).sort();
};

const all: readonly Edge[] = [
  ['1_/', '2_/pricing', 3, 140_000],
  ['1_/', '2_signed up', 1, 60_000],
  ['1_/pricing', '2_/', 1, 600_000],
  ['2_/pricing', '3_signed up', 1, 120_000],
  ['3_signed up', '4_Home', 1, 1_800_000],
];

describe('an edge that one person takes in several sessions', () => {
  const visit = (by: string, at: string, names: readonly string[]): Line[] =>
    names.map((name, n) => custom(by, `${at}:0${n}:00`, name));

  it('is as heavy as an edge that several persons take once', async () => {
    const own = await service.newProject('Walks');
    await load(own, [
      ...['08', '10', '12'].flatMap((hour) => visit('ada', hour, ['x', 'y'])),
      ...['bob', 'cyd', 'dee'].flatMap((by) => visit(by, '10', ['v', 'w'])),
      ...visit('eve', '10', ['s', 't', 's', 't']),
    ]);
    const counts = (await ask({}, own)).insight.edges.map((edge) => [
      edge.source,
      edge.target,
      edge.value,
      edge.persons,
    ]);
    expect(counts).toEqual([
      ['1_v', '2_w', 3, 3],
      ['1_x', '2_y', 3, 1],
      ['1_s', '2_t', 1, 1],
      ['2_t', '3_s', 1, 1],
      ['3_s', '4_t', 1, 1],
    ]);
    expect(await edgesOf({ edge_limit: 1 }, own)).toEqual([['1_v', '2_w', 3, 60_000]]);
    expect(await edgesOf({ min_edge_weight: 2 }, own)).toHaveLength(2);
    expect(await namesOf({ path_start_key: '1_x', path_end_key: '2_y' }, own)).toEqual(['ada']);
    // Without a start a path ends where the end is met first, also in its first place.
    expect(await edgesOf({ end_point: 's' }, own)).toEqual([]);
  });
});

describe('the edges of paths', () => {
  it('count walks and persons, average over the walks, and begin anew after more than half an hour', async () => {
    expect(await edgesOf()).toEqual(all);
    const { edges } = (await ask()).insight;
    // Ada went from / to /pricing in both of her visits, Bob in his only one.
    expect(edges[0]).toEqual({
      source: '1_/',
      target: '2_/pricing',
      value: 3,
      persons: 2,
      average_conversion_time: 140_000,
    });
    expect(edges.slice(1).map(({ value, persons }) => [value, persons])).toEqual(Array(4).fill([1, 1]));
    expect((await ask()).insight.kind).toBe('path');
  });

  it.each<[object, readonly Edge[]]>([
    [{ include_event_types: ['$pageview'] }, [all[0] as Edge, all[2] as Edge]],
    [{ path_type: '$screen', include_custom_events: ['signed up'] }, [['1_signed up', '2_Home', 1, 1_800_000]]],
    [{ include_event_types: ['custom_event'] }, []],
    [{ include_event_types: ['custom_event', '$screen'] }, [['1_signed up', '2_Home', 1, 1_800_000]]],
    [{ events: [{ id: '$pageview' }, { id: 'signed up' }] }, all.slice(0, 4)],
    [{ events: ['$screen'], include_event_types: ['$pageview'] }, []],
    [{ properties: [{ key: '$current_url', value: '/' }] }, []],
  ])('are of the events asked for: %j', async (requested, edges) => {
    expect(await edgesOf(requested)).toEqual(edges);
  });

  it('leave out items, by name or pattern, also such as a pattern made', async () => {
    const without: readonly Edge[] = [
      ['1_/', '2_signed up', 2, 180_000],
      ['2_signed up', '3_Home', 1, 1_800_000],
    ];
    expect(await edgesOf({ exclude_events: ['/pricing'] })).toEqual(without);
    expect(await edgesOf({ exclude_events: ['*pri*'] })).toEqual(without);
    expect(await edgesOf({ exclude_events: ['pri'] })).toEqual(all);
    expect(await edgesOf({ path_groupings: ['/pri*'], exclude_events: ['/pri*'] })).toEqual(without);
  });

  it('are between the patterns that items contain, the last of which wins', async () => {
    expect(await edgesOf({ path_groupings: ['/*'] })).toEqual([
      ['1_/*', '2_signed up', 2, 90_000],
      ['2_signed up', '3_Home', 1, 1_800_000],
    ]);
    expect(await edgesOf({ path_groupings: ['*', 'pri', 'sign?d up', '.'] })).toEqual([
      ['1_*', '2_pri', 3, 140_000],
      ['1_pri', '2_*', 1, 600_000],
      ['2_pri', '3_*', 1, 1_920_000],
    ]);
  });

  it('are the heaviest, or those of a range of weights', async () => {
    expect(await edgesOf({ edge_limit: 2 })).toEqual(all.slice(0, 2));
    expect(await edgesOf({ edge_limit: 4 })).toEqual(all.slice(0, 4));
    expect(await edgesOf({ min_edge_weight: 3 })).toEqual(all.slice(0, 1));
    expect(await edgesOf({ min_edge_weight: 4 })).toEqual([]);
    expect(await edgesOf({ max_edge_weight: 2 })).toEqual(all.slice(1));
    expect(await edgesOf({ step_limit: 2 })).toEqual(all.slice(0, 3));
  });

  it('begin with the start, end with the end, and are short of their middle between both', async () => {
    expect(await edgesOf({ start_point: '/pricing' })).toEqual([
      ['1_/pricing', '2_/', 1, 600_000],
      ['1_/pricing', '2_signed up', 1, 120_000],
      ['2_signed up', '3_Home', 1, 1_800_000],
    ]);
    expect(await edgesOf({ end_point: 'signed up', step_limit: 2 })).toEqual([
      ['1_/', '2_signed up', 1, 60_000],
      ['1_/pricing', '2_signed up', 1, 120_000],
    ]);
    const both = { start_point: '/', end_point: 'Home', step_limit: 3 };
    expect(await edgesOf(both)).toEqual([
      ['1_/', '2_...', 1, 180_000],
      ['2_...', '3_Home', 1, 1_920_000],
    ]);
    expect(await namesOf({ ...both, path_start_key: '1_/', path_end_key: '2_...' })).toEqual(['ada']);
    expect(await edgesOf({ ...both, step_limit: 4 })).toHaveLength(3);
  });

  it('are none where there is nothing: an empty project, an empty range', async () => {
    const answer = await service.call('GET', pathOf(project));
    expect([answer.status, answer.body]).toMatchObject([200, { count: 0, insight: { edges: [] } }]);
    expect(await edgesOf({}, await service.newProject())).toEqual([]);
    expect(await edgesOf({ date_from: '2024-02-01', date_to: '2024-02-02' })).toEqual([]);
    expect(await edgesOf({ date_from: 'all' })).toEqual(all);
  });
});

describe('rewrites of items', () => {
  const rules = [
    { regex: '^/(\\w+)', alias: '/[\\1]' },
    { regex: '(?i)PRICING', alias: 'p' },
  ];

  it('are regular expressions, one after the other, the project’s first and only if asked for', async () => {
    const own = await service.newProject('Cleaning');
    await load(own, scene);
    const patched = await service.call('PATCH', `/api/projects/${own.id}`, { body: { path_cleaning_filters: rules } });
    expect(patched.status).toBe(200);
    const pages = { include_event_types: ['$pageview'], start_point: '/' };
    expect(await edgesOf({ ...pages, path_replacements: true }, own)).toEqual([['1_/', '2_/[p]', 3, 140_000]]);
    expect(await edgesOf(pages, own)).toEqual([['1_/', '2_/pricing', 3, 140_000]]);
    expect(await edgesOf({ ...pages, local_path_cleaning_filters: rules.slice(1) }, own)).toEqual([
      ['1_/', '2_/p', 3, 140_000],
    ]);
    const last = [{ regex: '\\[p\\]', alias: '' }];
    expect(
      await edgesOf({ ...pages, start_point: null, path_replacements: 'true', local_path_cleaning_filters: last }, own),
    ).toEqual([]);
  });

  it.each<[object, string]>([
    [{ local_path_cleaning_filters: [...rules, { regex: '(', alias: '' }] }, 'local_path_cleaning_filters.2.regex'],
    [{ local_path_cleaning_filters: [{ regex: 'a\\', alias: '' }] }, 'local_path_cleaning_filters.0.regex'],
    [{ local_path_cleaning_filters: [{ regex: '(?=a)', alias: '' }] }, 'local_path_cleaning_filters.0.regex'],
    [{ local_path_cleaning_filters: [{ regex: 'a{1001}', alias: '' }] }, 'local_path_cleaning_filters.0.regex'],
    [{ local_path_cleaning_filters: [{ regex: '(a)', alias: '\\2' }] }, 'local_path_cleaning_filters.0.alias'],
  ])('that RE2 refuses are named: %j', async (requested, attr) => {
    const answer = await service.call('POST', pathOf(project), { body: { ...march, ...requested } });
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'invalid_input', attr }]);
  });

  it('that a project was given long ago are refused when they are to be used, and harmless otherwise', async () => {
    const own = await service.newProject('Broken rules');
    const broken = JSON.stringify([{ regex: '[', alias: '' }]);
    await service.pool.query('UPDATE projects SET path_cleaning_filters = $2 WHERE id = $1', [own.id, broken]);
    const query = { path_replacements: 'true' };
    const answer = await service.call('GET', pathOf(own), { query });
    expect([answer.status, answer.body]).toMatchObject([400, { attr: 'path_cleaning_filters.0.regex' }]);
    expect((await service.call('GET', pathOf(own))).status).toBe(200);
  });
});

describe('the persons of paths', () => {
  it.each<[object, readonly string[]]>([
    [{}, ['ada', 'bob', 'cyd', 'nobody']],
    [{ path_start_key: '1_/', path_end_key: '2_/pricing' }, ['ada', 'bob']],
    [{ path_start_key: '1_/' }, ['ada', 'bob', 'nobody']],
    [{ path_end_key: '1_/' }, ['ada', 'bob', 'nobody']],
    [{ path_end_key: '3_signed up' }, ['ada']],
    [{ path_start_key: '4_Home' }, []],
    [{ path_start_key: '2_/pricing', path_end_key: '1_/' }, []],
    [{ path_dropoff_key: '2_/pricing' }, ['ada', 'bob']],
    [{ path_dropoff_key: '2_/pricing', path_start_key: '1_/pricing', path_end_key: '2_/' }, ['ada', 'bob']],
    [{ path_dropoff_key: '1_/' }, []],
    [{ path_dropoff_key: '4_Home' }, ['ada']],
    [{ path_dropoff_key: '19_Home' }, []],
    [{ path_start_key: '1_/', search: 'bob' }, ['bob']],
    [{ path_start_key: '1_/', search: 'nobody' }, ['nobody']],
    [{ include_event_types: ['$screen'] }, ['ada']],
  ])('are those of %j', async (requested, names) => {
    expect(await namesOf(requested)).toEqual(names);
  });

  it('are as many as the edge says, for each edge', async () => {
    for (const { source, target, persons } of (await ask()).insight.edges) {
      const query = { ...march, path_start_key: source, path_end_key: target, limit: '1' };
      expect(await walk(service, pathOf(project), query)).toHaveLength(persons);
    }
  });

  it('come in halves, and the same by GET and POST', async () => {
    const requested = {
      include_event_types: ['$pageview'],
      start_point: '/',
      local_path_cleaning_filters: [{ regex: 'x' }],
    };
    const query = Object.fromEntries(
      Object.entries({ ...march, ...requested }).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const got = (await service.call('GET', pathOf(project), { query })).body as Reply;
    const posted = await ask(requested);
    const { edges } = got.insight;
    expect([got.count, got.results, edges]).toEqual([posted.count, posted.results, posted.insight.edges]);
    expect(edges).toHaveLength(1);
    expect(Object.keys(await ask({ include: 'insight' }))).toEqual(['insight']);
    expect(Object.keys(await ask({ include: 'persons' }))).toEqual(['count', 'next', 'previous', 'results']);
  });

  it('agree with the edges also where events share a moment', async () => {
    const own = await service.newProject('Ties');
    const names = ['a', 'b', 'c', 'd', 'e'];
    const people = ['ada', 'bob', 'cyd'];
    await load(
      own,
      people.flatMap((by) => names.map((name) => custom(by, '10:00:00', name))),
    );
    const edges = await edgesOf({}, own);
    expect(edges.map(([, , value, average]) => [value, average])).toEqual(Array(4).fill([3, 0]));
    for (const [source, target] of edges)
      expect(await namesOf({ path_start_key: source, path_end_key: target }, own)).toEqual(people);
  });
});

describe('a funnel beside', () => {
  const funnel = { events: [{ id: '$pageview' }, { id: 'signed up' }], funnel_window_interval: 1 };
  const hour = { ...funnel, funnel_window_interval_unit: 'hour' };

  it('replaces sessions by its window before, after or between its steps', async () => {
    const after = { ...hour, funnel_paths: 'funnel_path_after_step', funnel_step: 2 };
    // An hour from 10:05: Home, and the page at 11:05:00.001 no more.
    expect(await edgesOf(after)).toEqual([['1_signed up', '2_Home', 1, 1_800_000]]);
    expect(await edgesOf({ ...after, funnel_window_interval: 2 })).toEqual([
      ['1_signed up', '2_Home', 1, 1_800_000],
      ['2_Home', '3_/', 1, 1_800_001],
      ['3_/', '4_/pricing', 1, 120_000],
    ]);
    const before = { ...after, funnel_paths: 'before_step' };
    expect(await edgesOf(before)).toEqual([
      ['1_/', '2_/pricing', 1, 180_000],
      ['1_/', '2_signed up', 1, 60_000],
      ['2_/pricing', '3_signed up', 1, 120_000],
    ]);
    expect(await edgesOf({ ...before, funnel_paths: 'between_steps' })).toEqual(await edgesOf(before));
  });

  it('may be one that was not gone to its end, and be given as a whole', async () => {
    const dropped = { funnel_paths: 'after_step', funnel_filter: { ...hour, funnel_step: -2 } };
    expect(await edgesOf(dropped)).toEqual([
      ['1_/', '2_/pricing', 1, 120_000],
      ['1_/pricing', '2_/', 1, 600_000],
    ]);
    expect(await namesOf({ ...dropped, path_start_key: '1_/' })).toEqual(['bob']);
    expect(await namesOf(dropped)).toEqual(['bob', 'cyd']);
    // The way to the step that they did not take.
    expect(await edgesOf({ ...dropped, funnel_paths: 'before_step' })).toEqual(await edgesOf(dropped));
  });
});

const hostile: readonly string[] = [
  ..."' \" ` \\ \\' ; -- /* # % _ {p1:String} ${x} $1 ? ( ) [ ] . + ^ $ | \\0 \\1 \\d {} NULL null true 0 -1 1e9 NaN".split(
    ' ',
  ),
  "'; DROP TABLE events; --",
  "' OR 1=1 --",
  '" UNION SELECT 1',
  "\\'; SELECT sleep(3); --",
  '`events`',
  'x\ny',
  'x\ty',
  'x\r\ny',
  '\u2028',
  'é',
  'e\u0301',
  '日本語',
  '🙂',
  '👩‍👩‍👧',
  '\u202Eabc',
  'ﬀ',
  '  ',
  '...',
  '1_/x',
  '<script>alert(1)</script>',
  '=1+1',
  '@SUM(A1)',
  'a'.repeat(3000),
  '__proto__',
  'constructor',
  '$pageview',
];

describe('hostile texts', () => {
  it('are only texts: items, points, patterns and keys', async () => {
    expect(hostile.length).toBeGreaterThanOrEqual(50);
    const own = await service.newProject('Hostile');
    await load(
      own,
      hostile.flatMap((text, at) => [page(`user ${at}`, '10:00:00', text), page(`user ${at}`, '10:01:00', `${text}!`)]),
    );
    const expected = hostile.map((text) => [`1_${text}`, `2_${text}!`, 1, 60_000]);
    const edges = await edgesOf({ edge_limit: 1000 }, own);
    expect(new Set(edges.map((edge) => JSON.stringify(edge)))).toEqual(
      new Set(expected.map((edge) => JSON.stringify(edge))),
    );
    for (const [at, text] of hostile.entries()) {
      const [source, target] = [`1_${text}`, `2_${text}!`];
      const grouped = text.includes('*') ? {} : { path_groupings: [`${text}!`], exclude_events: [`${text}?`] };
      const requested = {
        ...grouped,
        start_point: text,
        path_start_key: source,
        path_end_key: target,
        edge_limit: 1000,
      };
      const { insight, count, results } = await ask(requested, own);
      expect(insight.edges).toContainEqual({ source, target, value: 1, persons: 1, average_conversion_time: 60_000 });
      expect([count, results.map(({ name }) => name)]).toEqual([1, [`user ${at}`]]);
    }
    const excluded = hostile.filter((text) => !text.includes('*'));
    expect(await edgesOf({ exclude_events: excluded.slice(0, 100) }, own)).toHaveLength(
      hostile.length - excluded.length,
    );
  }, 300_000);
});

describe('faults', () => {
  it.each([
    ['include_event_types', '["page"]', 'include_event_types.0'],
    ['include_event_types', '["$pageview"', 'include_event_types'],
    ['path_type', 'page', 'path_type'],
    ['exclude_events', '[{}]', 'exclude_events.0'],
    ['path_groupings', '[[]]', 'path_groupings.0'],
    ['path_replacements', 'maybe', 'path_replacements'],
    ['local_path_cleaning_filters', '{}', 'local_path_cleaning_filters'],
    ['local_path_cleaning_filters', '[{"regex":"("}]', 'local_path_cleaning_filters.0.regex'],
    ['step_limit', '0', 'step_limit'],
    ['step_limit', '1000', 'step_limit'],
    ['edge_limit', '0', 'edge_limit'],
    ['edge_limit', 'x', 'edge_limit'],
    ['min_edge_weight', '-3', 'min_edge_weight'],
    ['max_edge_weight', '1.5', 'max_edge_weight'],
    ['path_start_key', 'x', 'path_start_key'],
    ['path_end_key', '0_x', 'path_end_key'],
    ['path_dropoff_key', '_x', 'path_dropoff_key'],
    ['funnel_paths', 'somewhere', 'funnel_paths'],
    ['funnel_paths', 'after_step', 'events'],
    ['properties', '[{"key":"a","operator":"regex","value":"("}]', 'properties.0.value'],
    ['properties', '[{"type":"cohort","key":"id","value":77}]', 'properties.0.value'],
    ['events', '[{"id":"a","math":{}},{}]', 'events.1.id'],
    ['date_from', 'yesterday-ish', 'date_from'],
    ['include', 'everything', 'include'],
    ['limit', '0', 'limit'],
    ['offset', '-1', 'offset'],
  ])('%s=%s is a fault of %s', async (name, value, attr) => {
    const answer = await service.call('GET', pathOf(project), { query: { [name]: value } });
    expect([answer.status, answer.body]).toMatchObject([400, { type: 'validation_error', attr }]);
  });
});
