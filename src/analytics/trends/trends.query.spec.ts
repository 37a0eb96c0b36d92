import { describe, expect, it } from '@jest/globals';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Params } from '../../filters/asking/questions.js';
import { displays, mathNames } from './trends.parameters.js';
import { readTrends } from './trends.query.js';

const project = { id: 1, timezone: 'UTC', weekStartDay: 0, testAccountFilters: [] } as unknown as ProjectContext;
const now = new Date('2024-03-05T12:00:00Z');
const read = (values: Record<string, unknown>) => readTrends(Params.of(values), project, now);

describe('a trends question', () => {
  it('is by default about any event of the last week', () => {
    expect(read({})).toMatchObject({
      series: [{ name: 'All events', math: { kind: 'total' } }],
      interval: 'day',
      range: { from: new Date('2024-02-27T00:00:00Z'), to: new Date('2024-03-05T23:59:59.999Z') },
      breakdown: null,
      formula: null,
      display: 'points',
      compare: false,
      smoothing: 1,
      selected: { series: 0, day: null, value: null, period: null },
    });
  });

  it('reads every math', () => {
    const kinds = mathNames.map(
      (math) =>
        read({ events: [{ id: 'a', math, math_property: 'x', math_group_type_index: 0, math_hogql: 'count()' }] })
          .series[0]?.math.kind,
    );
    expect(kinds).toEqual([
      'total',
      'dau',
      'session',
      'reach',
      'reach',
      'first',
      'first',
      'dau',
      ...Array.from({ length: 9 }, () => 'property'),
      ...Array.from({ length: 8 }, () => 'perActor'),
      'expression',
    ]);
  });

  it('reads the same from texts and from values', () => {
    const events = [
      { id: 'a', math: 'sum', math_property: 'x' },
      { id: null, order: 0 },
    ];
    const question = {
      events,
      breakdown: ['k', 'l'],
      compare: true,
      smoothing_intervals: 3,
      breakdown_value: ['1', ''],
    };
    const texts = Object.fromEntries(
      Object.entries(question).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
    expect(JSON.stringify(read(texts))).toBe(JSON.stringify(read(question)));
  });

  it('has one number for the displays that show one', () => {
    const total = Object.keys(displays).filter((display) => read({ display }).display === 'total');
    expect(total).toEqual(['ActionsBarValue', 'ActionsPie', 'ActionsTable', 'BoldNumber', 'WorldMap']);
  });

  it('has more values on a map by default', () => {
    const limit = (more: object) => read({ breakdown: '$country', ...more }).breakdown?.limit;
    expect([limit({}), limit({ display: 'WorldMap' }), limit({ display: 'WorldMap', breakdown_limit: 5 })]).toEqual([
      25, 300, 5,
    ]);
  });

  it('finds the series by its event, math and order', () => {
    const events = [
      { id: 'a' },
      { id: 'b' },
      { id: 'b', math: 'dau' },
      { any_of: [{ id: 'c' }, { id: 'd' }], name: 'both' },
    ];
    const selectedSeries = (more: object) => read({ events, ...more }).selected.series;
    expect([
      selectedSeries({ entity_id: 'b' }),
      selectedSeries({ entity_id: 'b', entity_math: 'dau' }),
      selectedSeries({ entity_id: 'b', entity_order: 2 }),
      selectedSeries({ entity_id: 'both' }),
      selectedSeries({ entity_id: 'd' }),
      selectedSeries({ entity_order: 1 }),
      selectedSeries({ entity_id: 'b', series: 0 }),
    ]).toEqual([1, 2, 2, 3, 3, 1, 0]);
  });
});
