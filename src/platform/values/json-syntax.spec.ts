import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonFault } from './json-syntax.js';

const isValid = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the fault in JSON', () => {
  it.each([
    ['{"a" 1}', 'line 1, column 6: a colon is expected after a key'],
    ['{"a": 1 "b": 2}', 'at line 1, column 9 a comma or } is expected'],
    ['[1\n 2]', 'at line 2, column 2 a comma or ] is expected'],
    [
      '[1,]',
      'at line 1, column 4 a value (an object, a list, text in double quotes, a number, true, false or null) is',
    ],
    ['{"a": 1,}', 'at line 1, column 9 a key in double quotes is expected'],
    ['{a: 1}', 'at line 1, column 2 a key in double quotes is expected'],
    ['["a\nb"]', 'line 1, column 4: text must end with a double quote, and a line break or a backslash in it must'],
    ['["a', 'line 1, column 4: text must end with a double quote'],
    ['{"a": [1', 'the text ends at line 1, column 9, where a comma or ] is expected'],
    ['{} {}', 'at line 1, column 4 the end of the text is expected'],
    ['', 'the text ends at line 1, column 1, where a value'],
  ])('of %j is %s', async (text, fault) => {
    expect(await jsonFault(text)).toContain(fault);
  });

  it('exists exactly where JSON.parse finds one', async () => {
    const cut = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', ' ', 'x'))
      .map(([json, at, more]) => {
        const position = at % (json.length + 1);
        return json.slice(0, position) + more + json.slice(position + 1);
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), cut, fc.string()), async (text) => {
        expect((await jsonFault(text)) === null).toBe(isValid(text));
      }),
      { numRuns: 500 },
    );
  });
});
