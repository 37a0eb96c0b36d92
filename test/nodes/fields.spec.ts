import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { nodeTable, readNode } from '../../src/nodes/kinds/all-nodes.js';
import { sentBesideNodes } from '../../src/nodes/node-request.js';
import { type FieldFate, type NodeField, type NodeShape } from '../../src/nodes/reading/node-fields.js';
import { dataBasics, insightBasics } from '../../src/nodes/reading/shared-fields.js';
import { Problem } from '../../src/platform/errors/problem.js';
import { presentationNames } from '../../src/platform/http/presentation-names.js';
import { event } from './node-asking.js';

/** The names of the fields of the schema of August 2026, by type: names only. */
const schema = JSON.parse(readFileSync('test/nodes/schema-fields.json', 'utf8')) as {
  readonly kinds: readonly string[];
  readonly fields: Readonly<Record<string, readonly string[]>>;
};

const refusalOf = (node: unknown): Problem | null => {
  try {
    readNode(node, 'query');
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

const series = [event('a')];
const trends = { kind: 'TrendsQuery', series };
const funnel = { kind: 'FunnelsQuery', series };
const funnelActors = { kind: 'FunnelsActorsQuery', source: funnel };
const correlation = { kind: 'FunnelCorrelationQuery', source: funnelActors, funnelCorrelationType: 'events' };

type Place = (fields: object) => object;
const within =
  (name: string, node: object): Place =>
  (fields) => ({ ...node, [name]: fields });
const actorsOf =
  (source: object): Place =>
  (fields) => ({ kind: 'ActorsQuery', source: { ...source, ...fields } });
const on =
  (node: object): Place =>
  (fields) => ({ ...node, ...fields });

/** A node that has an object of the type. */
const places: Readonly<Record<string, Place>> = {
  TrendsQuery: on(trends),
  TrendsFilter: within('trendsFilter', trends),
  CalendarHeatmapQuery: on({ kind: 'CalendarHeatmapQuery', series }),
  CalendarHeatmapFilter: within('calendarHeatmapFilter', trends),
  TrendsFormulaNode: (fields) => ({ ...trends, trendsFilter: { formulaNodes: [fields] } }),
  FunnelsQuery: on(funnel),
  FunnelsFilter: within('funnelsFilter', funnel),
  FunnelExclusionEventsNode: (fields) => ({ ...funnel, funnelsFilter: { exclusions: [{ ...event('b'), ...fields }] } }),
  FunnelExclusionActionsNode: (fields) => ({
    ...funnel,
    funnelsFilter: { exclusions: [{ kind: 'ActionsNode', id: 1, ...fields }] },
  }),
  RetentionQuery: on({ kind: 'RetentionQuery' }),
  RetentionFilter: within('retentionFilter', { kind: 'RetentionQuery' }),
  RetentionEntity: (fields) => ({ kind: 'RetentionQuery', retentionFilter: { targetEntity: fields } }),
  PathsQuery: on({ kind: 'PathsQuery' }),
  PathsFilter: within('pathsFilter', { kind: 'PathsQuery' }),
  FunnelPathsFilter: within('funnelPathsFilter', { kind: 'PathsQuery' }),
  StickinessQuery: on({ kind: 'StickinessQuery', series }),
  StickinessFilter: within('stickinessFilter', { kind: 'StickinessQuery', series }),
  StickinessCriteria: (fields) => ({
    kind: 'StickinessQuery',
    series,
    stickinessFilter: { stickinessCriteria: fields },
  }),
  LifecycleQuery: on({ kind: 'LifecycleQuery', series }),
  LifecycleFilter: within('lifecycleFilter', { kind: 'LifecycleQuery', series }),
  FunnelCorrelationQuery: on(correlation),
  EventsQuery: on({ kind: 'EventsQuery', select: ['*'] }),
  EventsNodeAsList: on(event('a')),
  ActorsQuery: on({ kind: 'ActorsQuery' }),
  InsightActorsQueryOptions: on({ kind: 'InsightActorsQueryOptions', source: funnelActors }),
  InsightActorsQuery: actorsOf({ kind: 'InsightActorsQuery', source: trends }),
  StickinessActorsQuery: actorsOf({ kind: 'StickinessActorsQuery', source: { kind: 'StickinessQuery', series } }),
  FunnelsActorsQuery: actorsOf(funnelActors),
  FunnelCorrelationActorsQuery: actorsOf({ kind: 'FunnelCorrelationActorsQuery', source: correlation }),
  PersonsNode: on({ kind: 'PersonsNode' }),
  GroupsQuery: on({ kind: 'GroupsQuery', group_type_index: 0 }),
  EventsNode: (fields) => ({ ...trends, series: [{ ...event('a'), ...fields }] }),
  ActionsNode: (fields) => ({ ...trends, series: [{ kind: 'ActionsNode', id: 1, ...fields }] }),
  GroupNode: (fields) => ({ ...trends, series: [{ kind: 'GroupNode', operator: 'OR', nodes: series, ...fields }] }),
  DateRange: within('dateRange', trends),
  BreakdownFilter: within('breakdownFilter', trends),
  Breakdown: (fields) => ({ ...trends, breakdownFilter: { breakdowns: [fields] } }),
  CompareFilter: within('compareFilter', trends),
  InsightVizNode: on({ kind: 'InsightVizNode', source: trends }),
  DataTableNode: on({ kind: 'DataTableNode', source: { kind: 'PersonsNode' } }),
  DataVisualizationNode: on({ kind: 'DataVisualizationNode', source: trends }),
};

/** The room of SQL reads these; sql.spec.ts asks them. */
const ofSql = ['HogQLQuery', 'HogQLVariable'];

/** The service puts the saved question in place of this one before it reads the node. */
const replaced = ['SavedInsightNode'];

const sorts: readonly FieldFate[] = ['works', 'no effect', 'refused'];

describe('a field of the schema', () => {
  const fields = Object.entries(schema.fields).filter(([type]) => type !== 'QueryRequest');

  it('works, has no effect, or is refused', () => {
    const undeclared = fields.flatMap(([type, names]) =>
      names.filter((name) => !nodeTable[type]?.[name]).map((name) => `${type}.${name}`),
    );
    expect(undeclared).toEqual([]);
    expect(
      Object.keys(nodeTable).filter((type) => !(type in places) && ![...ofSql, ...replaced].includes(type)),
    ).toEqual([]);
    const besides = ['query', ...presentationNames, ...Object.keys(sentBesideNodes.properties)];
    const known = [...besides, ...Object.keys(sentBesideNodes.unsupported)];
    expect(schema.fields.QueryRequest?.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(Object.entries(places))('of %s does what the table says', (type, place) => {
    const wrong = Object.entries(nodeTable[type] ?? {}).flatMap(([name, { fate, note }]) => {
      if (fate === 'works') return [];
      const refusal = refusalOf(place({ [name]: 'x' }));
      const isNamed = refusal?.attr?.endsWith(`.${name}`) === true && refusal.detail.includes(note);
      return (fate === 'refused') === isNamed && (fate === 'refused' || refusal === null)
        ? []
        : [`${name}: ${refusal?.detail}`];
    });
    expect(wrong).toEqual([]);
    const unknown = refusalOf(place({ nothingOfTheKind: 1 }));
    expect(unknown?.attr).toMatch(/^query\..*nothingOfTheKind$|^query\.nothingOfTheKind$/);
  });

  it('is read in its old spelling, and its nearest name is named', () => {
    expect(
      refusalOf({ ...trends, version: 1, trendsFilter: { smoothing_intervals: 2, show_legend: true } }),
    ).toBeNull();
    expect(refusalOf({ ...trends, trendsFilter: { smothingIntervals: 2 } })).toMatchObject({
      attr: 'query.trendsFilter.smothingIntervals',
      detail: 'smothingIntervals is not known: did you mean smoothingIntervals?',
    });
    expect(refusalOf({ ...trends, breakdown: { breakdown: '$os' } })).toBeNull();
  });
});

describe('a kind of node', () => {
  it('has an answer, or is refused with what to do instead', () => {
    const answered = schema.kinds.filter((kind) => refusalOf({ kind })?.attr !== 'query.kind');
    expect(answered.sort()).toEqual([
      'ActorsQuery',
      'CalendarHeatmapQuery',
      'DataTableNode',
      'DataVisualizationNode',
      'EventsNode',
      'EventsQuery',
      'FunnelCorrelationQuery',
      'FunnelsQuery',
      'GroupsQuery',
      'InsightActorsQueryOptions',
      'InsightVizNode',
      'LifecycleQuery',
      'PathsQuery',
      'PersonsNode',
      'RetentionQuery',
      'StickinessQuery',
      'TrendsQuery',
    ]);
    expect(refusalOf({ kind: 'RecordingsQuery' })?.detail).toBe(
      'query.kind RecordingsQuery has no answer here: there are no session recordings here',
    );
    expect(refusalOf({ kind: 'TrendQuery' })?.detail).toContain('did you mean TrendsQuery?');
    expect(refusalOf({ kind: 'InsightActorsQuery', source: trends })?.detail).toContain('source of an ActorsQuery');
  });
});

const file = 'docs/query-nodes.md';
const intro = [
  '# Query nodes',
  '',
  '`POST query` answers nodes of the reference product: its `TrendsQuery` is our `persons/trends`, and so',
  'on. No field is ignored: each works, has no effect because it is about the presentation or the',
  'engine of an answer, or is refused with a 400 that names it. So is a field that is not listed. Null',
  'means that a field is missing. Field names with underscores, as in older versions, mean the same.',
  '',
  'Every answer comes at once, whatever `refresh` and `async` say, and is computed for the request:',
  '`is_cached` is false and `query_status` complete. `results` have the form of the reference product,',
  'with numbers of our own questions: what it has and we do not compute is absent or null, such as',
  '`cache_key`, `filter`, and links to persons. The scope is `query:read`, as for questions in SQL,',
  'which read the same events and persons.',
  '',
  '`npm run query-nodes` writes the rest of this page from the declarations that read nodes.',
  '',
];

const noteOf = ([name, { note }]: readonly [string, NodeField]): string =>
  note === '' ? `\`${name}\`` : `\`${name}\` (${note})`;

const linesOf = (fields: NodeShape): string[] =>
  sorts.flatMap((fate) => {
    const own = Object.entries(fields).filter(([, field]) => field.fate === fate);
    const title = { works: 'Works', 'no effect': 'No effect', refused: 'Refused' }[fate];
    return own.length === 0 ? [] : [`- ${title}: ${own.map(noteOf).join(', ')}.`];
  });

const without = (fields: NodeShape, shared: NodeShape): NodeShape =>
  Object.fromEntries(Object.entries(fields).filter(([name, field]) => shared[name] !== field));

const section = ([type, fields]: readonly [string, NodeShape]): string[] => {
  const own = without(without(fields, insightBasics), dataBasics);
  const title = type === 'EventsNodeAsList' ? 'EventsNode that is no series' : type;
  return [`## ${title}`, '', ...linesOf(own), ''];
};

describe('docs/query-nodes.md', () => {
  it('is current: npm run query-nodes writes it', async () => {
    const shared = without(insightBasics, dataBasics);
    const text = [
      ...intro,
      '## Every node',
      '',
      ...linesOf(dataBasics),
      '',
      '## Every insight',
      '',
      ...linesOf(shared),
      '',
      ...Object.entries(nodeTable).flatMap(section),
    ].join('\n');
    const config = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
    // As the file formats documents.
    const { code } = await format(file, text, { ...config, printWidth: 100, proseWrap: 'always' });
    if (process.env.UPDATE_QUERY_NODES === '1') writeFileSync(file, code);
    expect(readFileSync(file, 'utf8')).toBe(code);
  });
});
