import { invalidInput, required } from '../../../platform/errors/problem.js';
import { isDeeperThan, isRecord } from './json.js';
import { maxEventDepth } from './limits.js';

/** Reads properties that are set by hand: any keys and any values, no deeper than an event may be. */
export const readEditProperties = (properties: unknown, attr = 'properties'): Record<string, unknown> => {
  if (properties === undefined || properties === null) throw required(attr);
  if (!isRecord(properties)) throw invalidInput(`${attr} must be an object of keys and values`, attr);
  return shallow(properties, attr);
};

export const shallow = <T>(value: T, attr: string): T => {
  // The event that will contain the value takes three levels: itself, its properties, and the operator.
  if (!isDeeperThan(value, maxEventDepth - 3)) return value;
  throw invalidInput(`${attr} may nest at most ${maxEventDepth - 3} levels deep`, attr);
};
