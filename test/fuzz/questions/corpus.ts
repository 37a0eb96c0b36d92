import { aggregateFunctions, scalarFunctions, windowFunctions } from '../../../src/sql/functions/allowed-functions.js';
import { type Random } from '../random.js';
import {
  argumentsBesideRows,
  argumentsOfOneRow,
  largestAggregates,
  largestWindows,
} from '../../support/query/largest-arguments.js';
import { nestingForms } from '../../support/query/nesting-forms.js';

const scalars = Object.values(scalarFunctions).flat();

/** Arguments of one call around another call: together they may be of types and sizes that neither makes alone. */
const nestedCall = (random: Random, depth: number): string => {
  const args = random.pick(
    random.chance(0.5) ? argumentsOfOneRow(random.pick([1_000_000, 100_000, 1_000])) : argumentsBesideRows(1_000),
  );
  const [first = '', ...rest] = args.split(', ');
  if (depth === 0) return `${random.pick(scalars)}(${args})`;
  const inner = nestedCall(random, depth - 1);
  return `${random.pick(scalars)}(${(random.chance(0.5) ? [inner, ...rest] : [first, inner]).join(', ')})`;
};

/** A long question: a call with the largest arguments, a form that is nested, or calls in calls. */
export const corpus = (random: Random): string => {
  const kind = random.next();
  if (kind < 0.5) {
    const name = random.pick(scalars);
    const [size, rows] = random.pick([
      [1_000_000, 1_000],
      [100_000, 100_000],
      [10_000, 100_000],
      [1_000, 100_000],
    ] as const);
    return random.chance(0.6)
      ? `select byteSize(${name}(${random.pick(argumentsOfOneRow(size))})) as v`
      : `select max(byteSize(${name}(${random.pick(argumentsBesideRows(size))}))) as v from (select arrayJoin(range(${rows})) as i)`;
  }
  if (kind < 0.65) return random.pick(random.pick(largestAggregates(random.pick(aggregateFunctions))).questions);
  if (kind < 0.7) return random.pick(random.pick(largestWindows(random.pick(windowFunctions))).questions);
  if (kind < 0.85) {
    const form = nestingForms[random.pick(Object.keys(nestingForms))];
    return form?.(2 ** random.integer(0, 10)) ?? '';
  }
  return `select max(byteSize(${nestedCall(random, random.integer(1, 3))})) as v from (select arrayJoin(range(100000)) as i)`;
};
