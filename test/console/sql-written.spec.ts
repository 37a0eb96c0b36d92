import { describe, expect, it } from '@jest/globals';
import { paramsOf, placeholdersOf, readWritten } from '../../console/src/insights/sql/written.js';
import { chartData, chartOf, type Answered } from '../../console/src/insights/sql/answer-columns.js';

describe('the placeholders of a question in SQL', () => {
  it('are names in braces, each once, outside of texts and comments', () => {
    const text = `select {plan}, '{text}', 'it''s {quoted}' -- {comment}
      /* {block} */ from events where event = { plan } and day > {variables.from} and x = '\\'{escaped}'`;
    expect(placeholdersOf(text)).toEqual(['plan', 'variables.from']);
  });

  it('have the values that were given, or an empty text', () => {
    expect(paramsOf({ text: 'select {a}, {b}, {c}', values: { a: 5, b: null, other: 1 } })).toEqual({
      query: 'select {a}, {b}, {c}',
      values: { a: 5, b: null, c: '' },
    });
    expect(paramsOf({ text: 'select 1', values: { a: 5 } })).toEqual({ query: 'select 1' });
  });

  it('are read from every form in which a question is saved', () => {
    const query = 'select {variables.plan}, {n}';
    const variables = { x: { code_name: 'plan', value: 'pro' } };
    const node = { kind: 'HogQLQuery', query, values: { n: 2 }, variables };
    const read = { text: query, values: { n: 2, 'variables.plan': 'pro' } };
    expect(readWritten({ query: node })).toEqual(read);
    expect(readWritten({ query: { kind: 'DataVisualizationNode', source: node } })).toEqual(read);
    expect(readWritten({ query, values: { n: 2 } })).toEqual({ text: query, values: { n: 2 } });
  });
});

const answer = (types: Answered['types'], results: Answered['results']): Answered => ({
  columns: types.map(([name = '']) => name),
  types,
  results,
});

describe('the picture of an answer', () => {
  it('has a line for each value of the text beside a time, the largest first, with gaps where no row is', () => {
    const rows = answer(
      [
        ['day', 'Date'],
        ['plan', 'String'],
        ['n', 'UInt64'],
      ],
      [
        ['2026-01-02', 'pro', 3],
        ['2026-01-01', 'free', 1],
        ['2026-01-01', 'pro', 2],
      ],
    );
    const columns = chartOf(rows);
    expect(columns).toEqual({ kind: 'line', label: 0, values: [2], split: 1 });
    expect(columns && chartData(rows, columns)).toEqual({
      labels: ['2026-01-01', '2026-01-02'],
      series: [
        { name: 'pro', data: [2, 3] },
        { name: 'free', data: [1, null] },
      ],
      omitted: 0,
    });
  });

  it('has bars of all numbers in the order of the answer beside a text, and is none without numbers', () => {
    const types = [
      ['event', 'String'],
      ['n', 'UInt64'],
      ['share', 'Nullable(Float64)'],
    ] as const;
    const rows = answer(types, [
      ['paid', 2, 0.5],
      ['opened', 1, null],
    ]);
    const columns = chartOf(rows);
    expect(columns).toEqual({ kind: 'bar', label: 0, values: [1, 2], split: null });
    expect(columns && chartData(rows, columns).series).toEqual([
      { name: 'n', data: [2, 1] },
      { name: 'share', data: [0.5, null] },
    ]);
    expect(chartOf(answer([['event', 'String']], [['paid']]))).toBeNull();
  });
});
