import { describe, expect, it } from '@jest/globals';
import { exceededLimit } from './json.js';

const limits = { depth: 3, nodes: 8 };
const exceeds = (json: string) => exceededLimit(Buffer.from(json), limits);

describe('exceededLimit', () => {
  it.each([
    ['"text"', null],
    ['{"a":[{"b":1}]}', null],
    ['{"a":[{"b":[]}]}', 'depth'],
    ['[1,2,3,4,5,6,7]', null],
    ['[1,2,3,4,5,6,7,8]', 'nodes'],
    ['[[],[],[],[]]', 'nodes'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}', 'nodes'],
    ['[[[[', 'depth'],
  ])('of %s is %s', (json, expected) => expect(exceeds(json)).toBe(expected));

  it('does not count what stands inside of a text', () => {
    expect(exceeds('"[[[[[[,,,,,,,,,,,,"')).toBeNull();
    expect(exceeds('["\\"[[[[,,,,,,,,,,,", "\\\\"]')).toBeNull();
    expect(exceeds('{"[[[[":"},},},},},},},},},}"}')).toBeNull();
  });

  it('counts the keys of objects apart, where they are limited', () => {
    const keys = { depth: 3, nodes: 8, keys: 2 };
    expect(exceededLimit(Buffer.from('{"a":1,"b":[1,2,3]}'), keys)).toBeNull();
    expect(exceededLimit(Buffer.from('[{"a":1,"b":":::"},{"c":2}]'), keys)).toBe('keys');
  });

  it('ends at the end of a text that is cut short', () => {
    expect(exceeds('"abc')).toBeNull();
    expect(exceeds('"abc\\')).toBeNull();
  });
});
