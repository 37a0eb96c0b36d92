import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type GrantedScope } from '../../src/kernel/access/scopes.js';
import { runsOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { fillScene, now, type Scene } from '../query/questions/scene.js';
import { event, Nodes } from './node-asking.js';

let service: ServiceHandle;
let nodes: Nodes;
let scene: Scene;
beforeAll(async () => {
  service = await sharedService();
  nodes = new Nodes(service, service.project.id, now);
  scene = await fillScene(service, service.project);
});
afterAll(() => service.stop());

const trends = { kind: 'TrendsQuery', series: [event('purchased')] };
const correlation = {
  kind: 'FunnelCorrelationQuery',
  source: { kind: 'FunnelsActorsQuery', source: { kind: 'FunnelsQuery', series: trends.series } },
  funnelCorrelationType: 'events',
};

/** One node of each kind that is answered. */
const every = (): readonly object[] => [
  trends,
  { kind: 'FunnelsQuery', series: [event('signed up'), event('purchased')] },
  { kind: 'RetentionQuery', retentionFilter: {} },
  { kind: 'PathsQuery', pathsFilter: {} },
  { kind: 'StickinessQuery', series: trends.series },
  { kind: 'LifecycleQuery', series: trends.series },
  correlation,
  { kind: 'EventsQuery', select: ['*', 'person'], after: 'all' },
  event('purchased'),
  { kind: 'ActorsQuery', search: 'a' },
  { kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery', source: trends } },
  { kind: 'PersonsNode' },
  { kind: 'HogQLQuery', query: 'select event from events' },
];

describe('a refusal', () => {
  it.each<[string, object, string, string]>([
    ['a math', { series: [event('a'), event('b', { math: 'sum' })] }, 'series.1.math_property', 'is required'],
    ['a math that is not known', { series: [event('a', { math: 'mode' })] }, 'series.0.math', 'must be one of total'],
    ['a filter', { properties: [{ key: 'a', operator: 'near', value: 1 }] }, 'properties.0.operator', 'must be one of'],
    [
      'a fixed filter',
      { series: [event('a', { properties: [], fixedProperties: [{ key: 'a', operator: 'near', value: 1 }] })] },
      'series.0.fixedProperties.0.operator',
      'must be one of',
    ],
    [
      'a fixed filter beside a group',
      {
        series: [
          event('a', {
            fixedProperties: [
              { type: 'AND', values: [] },
              { key: 'a', operator: 'near', value: 1 },
            ],
          }),
        ],
      },
      'series.0.fixedProperties.1.operator',
      'must be one of',
    ],
    ['a date', { dateRange: { date_from: 'soon' } }, 'dateRange.date_from', 'must be an ISO date'],
    ['an interval', { interval: 'year' }, 'interval', 'must be one of minute'],
    ['a formula', { trendsFilter: { formula: 'A +' } }, 'trendsFilter.formula', ''],
    [
      'one of several formulas',
      { trendsFilter: { formulaNodes: [{ formula: 'A' }, { formula: 'Z' }] } },
      'trendsFilter.formulaNodes.1.formula',
      '',
    ],
    [
      'a breakdown',
      { breakdownFilter: { breakdowns: [{ property: 'a', type: 'session' }] } },
      'breakdownFilter.breakdowns.0.type',
      'must be one of',
    ],
    ['a group', { aggregation_group_type_index: 0 }, 'aggregation_group_type_index', 'must be the index'],
    ['a sample', { samplingFactor: 0.1 }, 'samplingFactor', 'every answer counts all events'],
    ['a display', { trendsFilter: { display: 'BoxPlot' } }, 'trendsFilter.display', 'must be one of'],
    ['an unknown field', { dateRage: {} }, 'dateRage', 'did you mean dateRange?'],
    ['a distance', { compareFilter: { compare_to: '+1w' } }, 'compareFilter.compare_to', 'back in time'],
    ['a warehouse', { series: [{ kind: 'DataWarehouseNode' }] }, 'series.0.kind', 'there is no data warehouse here'],
    ['no list', { series: event('a') }, 'series', 'must be a list'],
  ])('names the place of %s', async (_, more, attr, says) => {
    expect(await nodes.refusal({ ...trends, ...more })).toEqual([400, `query.${attr}`, expect.stringContaining(says)]);
    const inside = { kind: 'InsightVizNode', source: { ...trends, ...more } };
    expect((await nodes.refusal(inside))[1]).toBe(`query.source.${attr}`);
  });

  it('names what only another insight, or SQL, can do', async () => {
    const funnel = { kind: 'FunnelsQuery', series: [event('a', { math: 'weekly_active' })] };
    expect(await nodes.refusal(funnel)).toEqual([
      400,
      'query.series.0.math',
      expect.stringContaining('must be total here'),
    ]);
    const compare = { kind: 'FunnelsQuery', series: [event('a')], compareFilter: { compare: true } };
    const times = { ...compare, funnelsFilter: { funnelVizType: 'time_to_convert' } };
    expect((await nodes.refusal(times))[1]).toBe('query.compareFilter.compare');
    const inCorrelation = { ...correlation, source: { ...correlation.source, source: compare } };
    expect((await nodes.refusal(inCorrelation))[1]).toBe('query.source.source.compareFilter.compare');
    const paths = {
      kind: 'PathsQuery',
      funnelPathsFilter: { funnelPathType: 'funnel_path_after_step', funnelSource: compare },
    };
    expect((await nodes.refusal(paths))[1]).toBe('query.funnelPathsFilter.funnelSource.compareFilter.compare');
    const previous = { kind: 'FunnelsActorsQuery', source: { ...compare, compareFilter: {} }, compare: 'previous' };
    expect((await nodes.refusal({ kind: 'ActorsQuery', source: previous }))[1]).toBe('query.source.compare');
    const { source } = correlation;
    const split = {
      ...correlation,
      source: { ...source, source: { ...source.source, breakdownFilter: { breakdown: 'a' } } },
    };
    expect((await nodes.refusal(split))[1]).toBe('query.source.source.breakdownFilter.breakdown');
    expect(await nodes.refusal(trends, { format: 'csv' })).toEqual([
      400,
      'format',
      expect.stringContaining('json for a node'),
    ]);
    expect(await nodes.refusal(trends, { limit: 5 })).toEqual([
      400,
      'limit',
      expect.stringContaining('a node has its own'),
    ]);
    expect((await nodes.refusal(trends, { filters_override: { date_from: '-7d' } }))[1]).toBe('filters_override');
  });

  it('is that of a path, too: the kind in it is the kind of the node', async () => {
    expect((await nodes.send({ query: trends }, 'query/TrendsQuery')).body).toMatchObject({
      results: [{ label: 'purchased' }],
    });
    const wrong = await nodes.send({ query: trends }, 'query/FunnelsQuery');
    expect([wrong.status, wrong.body]).toEqual([400, expect.objectContaining({ attr: 'query.kind' })]);
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body } = await service.call(method, `/api/projects/${service.project.id}/query/0190-abc`);
      expect([status, body]).toEqual([
        404,
        expect.objectContaining({ detail: expect.stringContaining('every answer comes at once') }),
      ]);
    }
  });
});

describe('a question in SQL', () => {
  it('takes variables of the reference product, and refuses what it lacks', async () => {
    const query =
      'select count() from events where event = {variables.name} and properties.quantity in {variables.sizes}';
    const variables = {
      a1: { variableId: 'a1', code_name: 'name', value: 'purchased' },
      a2: { variableId: 'a2', code_name: 'sizes', value: [1, 4] },
    };
    const ask = (more: object) =>
      nodes.send({
        query: {
          kind: 'DataVisualizationNode',
          source: { kind: 'HogQLQuery', query, variables, filters: {}, ...more },
          chartSettings: {},
        },
      });
    expect((await ask({})).body).toMatchObject({ results: [[3]] });
    const attrOf = async (more: object) => ((await ask(more)).body as { attr: unknown }).attr;
    expect(await attrOf({ variables: { a1: { code_name: 'name' } } })).toBe('query.source.variables.a1.value');
    expect(await attrOf({ variables: {} })).toBe('query.source.query');
    expect(await attrOf({ filters: { dateRange: { date_from: '-7d' } } })).toBe('query.source.filters');
    expect(await attrOf({ sendRawQuery: true })).toBe('query.source.sendRawQuery');
  });
});

describe('another project', () => {
  it('is closed: its cohorts, actions and persons are unknown', async () => {
    const other = new Nodes(service, (await service.newProject()).id, now);
    const inCohort = [{ type: 'cohort', key: 'id', value: scene.beta }];
    expect(await other.refusal({ ...trends, properties: inCohort })).toEqual([
      400,
      'query.properties.0.value',
      expect.stringContaining('cohort'),
    ]);
    expect((await other.refusal({ kind: 'PersonsNode', cohort: scene.beta }))[0]).toBe(400);
    expect((await other.refusal({ ...trends, series: [{ kind: 'ActionsNode', id: 1 }] })).slice(0, 2)).toEqual([
      400,
      'query.series.0.id',
    ]);
    expect((await other.answer({ kind: 'EventsQuery', select: ['count()'], after: 'all' })).results).toEqual([[0]]);
    const { text } = await service.newKey({ projectIds: [service.project.id], scopes: ['query:read'] });
    for (const query of every()) expect((await other.send({ query }, 'query', text)).status).toBe(404);
  });
});

/** SQL reads every event, person and cohort with `query:read`, so a node needs no more, and no other scope will do. */
describe('the scopes of a node', () => {
  it.each<[readonly GrantedScope[], number]>([
    [['query:read'], 200],
    [['*'], 200],
    [['person:read', 'event:read', 'cohort:read', 'insight:read'], 403],
    [['project:read'], 403],
  ])('%p: %d', async (scopes, status) => {
    const { text } = await service.newKey({ scopes });
    for (const query of every())
      expect([query, (await nodes.send({ query }, 'query', text)).status]).toEqual([query, status]);
  });
});

const words = fc.constantFrom(
  'kind',
  'series',
  'source',
  'event',
  'id',
  'math',
  'properties',
  'values',
  'type',
  'select',
  'a.b',
  '__proto__',
  'constructor',
  'operator',
  'nodes',
  'dateRange',
  'breakdownFilter',
  'funnelsFilter',
  'trendsFilter',
  'retentionFilter',
  'targetEntity',
  'exclusions',
  'formulaNodes',
  'day',
  'orderBy',
  'where',
);
const leaves = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    '[',
    '{}',
    'TrendsQuery',
    'EventsNode',
    'ActionsNode',
    'GroupNode',
    'HogQLQuery',
    "'",
    '\0',
    '\ud800',
  ),
  fc.string(),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaves,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(words, tie('json'), { maxKeys: 4 }),
  ),
}));

/** Replaces a value anywhere inside. */
const changed = (node: unknown, path: readonly number[], value: unknown): unknown => {
  const [step, ...rest] = path;
  if (step === undefined || typeof node !== 'object' || node === null) return value;
  const keys = Object.keys(node);
  const key = keys[step % (keys.length + 1)];
  if (key === undefined) return Array.isArray(node) ? [...(node as unknown[]), value] : { ...node, [`${step}`]: value };
  const inner = changed((node as Record<string, unknown>)[key], rest, value);
  return Array.isArray(node)
    ? node.map((one: unknown, at) => (String(at) === key ? inner : one))
    : { ...node, [key]: inner };
};

describe('a hostile node', () => {
  it('is answered or refused, and never a fault', async () => {
    const hostile = fc.record({
      base: fc.nat({ max: 12 }),
      path: fc.array(fc.nat({ max: 9 }), { maxLength: 5 }),
      value: json,
      isWrapped: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(hostile, async ({ base, path, value, isWrapped }) => {
        const node = changed(every()[base], path, value);
        const query = isWrapped ? { kind: 'DataTableNode', source: node } : node;
        const body = JSON.stringify({ query });
        const answer = await fetch(`${service.url}/api/projects/${service.project.id}/query`, {
          method: 'POST',
          headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
          body,
        });
        const text = await answer.text();
        if (answer.status !== 200 && answer.status !== 400) throw new Error(`${answer.status} ${text} to ${body}`);
      }),
      { numRuns: runsOf(5000, 25), ...(process.env.EVERY_CASE ? {} : { seed: 53 }) },
    );
  }, 600_000);
});
