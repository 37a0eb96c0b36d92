import { parse, type ParsedUrlQuery } from 'node:querystring';
import { invalidInput } from '../errors/problem.js';

const maxParameters = 2000;

/** Express reads the first 1000 parameters and silently drops the others. */
export const queryParser = (text: string | null): ParsedUrlQuery => {
  if (text === null) return {};
  if (isLongerThan(maxParameters, text)) {
    throw invalidInput(`The query must not have more than ${maxParameters} parameters`);
  }
  return parse(text, '&', '=', { maxKeys: 0 });
};

const isLongerThan = (limit: number, text: string): boolean => {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= limit; at = text.indexOf('&', at + 1)) count += 1;
  return count > limit;
};
