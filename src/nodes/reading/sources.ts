import { invalidInput, required } from '../../platform/errors/problem.js';
import { requireObject } from '../../platform/fields/values.js';
import { readNodeFields, type NodeShape } from './node-fields.js';
import { type Translation } from './translation.js';

/** Reads the node inside of another node, which is of one of these kinds. */
export const readSource = (
  value: unknown,
  attr: string,
  into: Translation,
  kinds: Readonly<Record<string, NodeShape>>,
  others: readonly string[] = [],
): void => {
  const { kind } = requireObject(value, attr);
  if (kind === undefined || kind === null) throw required(`${attr}.kind`);
  const fields = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!fields)
    throw invalidInput(`${attr}.kind must be ${[...Object.keys(kinds), ...others].join(' or ')}`, `${attr}.kind`);
  readNodeFields(fields, value, attr, into);
};
