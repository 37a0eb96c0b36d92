import { describe, expect, it } from '@jest/globals';
import { foldCase, searchText } from './search-text.js';

describe('the texts of a person that a search reads', () => {
  it('are its e-mail, names and distinct ids, without the difference between upper and lower case', () => {
    const properties = { email: 'Ada@Example.test', name: 'Ada Lovelace', username: null, plan: 'pro' };
    expect(searchText(properties, ['User-1', 'ada'])).toBe('ada@example.test\0ada lovelace\0user-1\0ada');
    expect(searchText({}, [])).toBe('');
  });

  it('are text if the values are not', () => {
    expect(searchText({ email: 12, name: { First: 'Ada' }, username: true }, [])).toBe('12\0{"first":"ada"}\0true');
  });

  it('are short, and never inherited', () => {
    expect(searchText({ name: 'x'.repeat(5000) }, ['ada'])).toBe(`${'x'.repeat(1000)}\0ada`);
    expect(searchText(Object.create({ name: 'inherited' }) as Record<string, unknown>, ['ada'])).toBe('ada');
  });

  it('are equal for every form of a letter', () => {
    for (const texts of [
      ['ÉCOLE', 'école'],
      ['ΟΔΟΣ', 'οδοσ', 'οδος'],
      ['ЖУК', 'жук'],
    ])
      expect(new Set(texts.map(foldCase)).size).toBe(1);
  });
});
