import { type SourcePosition } from '../fault.js';
import { isWord } from '../parse/markers.js';
import { type Token } from '../parse/tokens.js';

const ends = new Set(['from', 'where', 'group', 'having', 'order', 'limit', 'union', 'window', 'qualify', 'offset']);
const longest = 200;

/** The texts of the expressions of a SELECT, which name the columns that have no alias. */
export const titlesOf = (tokens: readonly Token[], text: string, select: SourcePosition): readonly string[] => {
  const titles: string[] = [];
  const at = tokens.findIndex(({ line, column }) => line === select.line && column === select.column);
  if (at < 0) return titles;
  let depth = 0;
  let first: Token | null = null;
  let last: Token | null = null;
  const finish = () => {
    if (first && last) titles.push(text.slice(first.start, last.end).replace(/\s+/g, ' ').slice(0, longest));
    first = null;
  };
  for (const token of tokens.slice(at + 1)) {
    const sign = token.kind === 'symbol' ? token.text : '';
    if (depth === 0 && first === null && isWord(token, 'distinct')) continue;
    if (depth === 0 && (sign === ')' || (token.kind === 'word' && ends.has(token.text.toLowerCase())))) break;
    if (depth === 0 && sign === ',') {
      finish();
      continue;
    }
    if (sign === '(' || sign === '[' || isWord(token, 'case')) depth += 1;
    if (sign === ')' || sign === ']' || isWord(token, 'end')) depth -= 1;
    first ??= token;
    last = token;
  }
  finish();
  return titles;
};
