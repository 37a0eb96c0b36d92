import { describe, expect, it } from '@jest/globals';
import { changeText } from '../../console/src/ui/change-text.js';

const change = (field: string | null, before: unknown, after: unknown, action = 'changed') => ({
  ...{ type: 'Insight', action, field, before, after },
});
const texts = (...args: Parameters<typeof change>): string[] => changeText(change(...args)).map(({ text }) => text);

describe('a change of a record in words', () => {
  it('says what a field was, and what it is', () => {
    expect(texts('name', 'Orders', 'Paid orders')).toEqual(['Name: “Orders” → “Paid orders”']);
    expect(texts('question.date_from', null, '-7d')).toEqual(['Beginning of the range: nothing → “-7d”']);
    expect(texts('tags', ['a', 'b'], [])).toEqual(['Tags: “a”, “b” → nothing']);
    expect(texts('question.compare', false, true)).toEqual(['Compare: false → true']);
  });

  it('says only that filters changed, of which the log has no values', () => {
    expect(texts('question.properties', null, null)).toEqual(['Filters changed']);
    expect([
      texts('properties', false, true),
      texts('properties', true, false),
      texts('properties', true, true),
    ]).toEqual([['Filters set'], ['Filters removed'], ['Filters changed']]);
  });

  it('counts tiles', () => {
    expect(texts('tiles', [{}], [{}, {}])).toEqual(['1 tile → 2 tiles']);
    expect(texts('tiles', [{ x: 0 }], [{ x: 1 }])).toEqual(['Tiles changed']);
  });

  it('lists what a new record has', () => {
    const record = { name: 'B', description: '', tiles: [{}], date_from: null, is_static: false };
    expect(texts(null, null, record, 'created')).toEqual(['Name: “B”', '1 tile']);
    expect(texts(null, null, null, 'deleted')).toEqual(['Deleted']);
    const link = { id: 'x', label: 'Board meeting', expires_at: '2026-12-30T18:48:35.986Z' };
    expect(texts('link', null, link, 'created')).toEqual([
      'Link created, label “Board meeting”, expires at 2026-12-30 18:48 UTC',
    ]);
    expect(texts('link', { id: 'x' }, null, 'deleted')).toEqual(['Link deleted']);
  });

  it('says objects in the words of their page, and shows others as they are', () => {
    const [described] = changeText(change('filters', { a: 1 }, { a: 2 }), () => 'those who paid');
    expect(described).toEqual({ text: 'Definition: those who paid → those who paid', values: [] });
    const values = [
      { label: 'Before', value: { a: 1 } },
      { label: 'After', value: { a: 2 } },
    ];
    expect(changeText(change('filters', { a: 1 }, { a: 2 }))).toEqual([{ text: 'Definition changed', values }]);
  });
});
