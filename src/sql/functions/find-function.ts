import { nearestName } from '../../platform/errors/nearest-name.js';
import { aggregateFunctions, scalarFunctions, windowFunctions } from './allowed-functions.js';
import { refusedFunctions } from './refused-functions.js';

export interface EngineFunction {
  /** As the engine writes it. */
  readonly name: string;
  /** `window` functions need OVER; `aggregate` functions may have it. */
  readonly kind: 'scalar' | 'aggregate' | 'window';
}

/** The changes of an aggregate that its name may end with. States of aggregates cannot be answers. */
export const combinators = ['If', 'Array', 'Distinct', 'OrNull', 'OrDefault', 'ForEach', 'Map'] as const;

const known = new Map<string, EngineFunction>();
const add = (name: string, kind: EngineFunction['kind']): void => {
  known.set(name.toLowerCase(), { name, kind });
};
for (const names of Object.values(scalarFunctions)) for (const name of names) add(name, 'scalar');
for (const name of aggregateFunctions) add(name, 'aggregate');
for (const name of windowFunctions) add(name, 'window');

const refused = new Set(Object.values(refusedFunctions).flatMap((names) => names.map((name) => name.toLowerCase())));

export const allFunctions = (): readonly EngineFunction[] => [...known.values()];

/** The function of a name in any case, with combinators. */
export const findFunction = (name: string): EngineFunction | null => {
  const found = known.get(name.toLowerCase());
  if (found) return found;
  let rest = name;
  let endings = '';
  for (let changed = true; changed;) {
    changed = false;
    for (const combinator of combinators) {
      if (rest.length <= combinator.length || !rest.toLowerCase().endsWith(combinator.toLowerCase())) continue;
      rest = rest.slice(0, -combinator.length);
      endings = combinator + endings;
      const base = known.get(rest.toLowerCase());
      if (base?.kind === 'aggregate') return { name: base.name + endings, kind: 'aggregate' };
      changed = true;
      break;
    }
  }
  return null;
};

/** Names in other databases and abbreviations, which share too few letters with the name of the function here. */
const otherNames: Readonly<Record<string, string>> = { cnt: 'count', mean: 'avg', average: 'avg' };

/** Why there is no function of this name, and what was probably meant. */
export const whyNoFunction = (name: string, others: readonly string[]): string => {
  if (refused.has(name.toLowerCase())) return `The function ${name} is not allowed here`;
  const candidates = [...others, ...[...known.values()].map((one) => one.name)];
  const usual = Object.hasOwn(otherNames, name.toLowerCase()) ? otherNames[name.toLowerCase()] : undefined;
  const nearest =
    usual ??
    nearestName(
      name,
      candidates.map((one) => one.toLowerCase()),
    );
  const exact = candidates.find((one) => one.toLowerCase() === nearest);
  return `There is no function ${name}${exact === undefined ? ': GET query/schema lists the functions' : `: did you mean ${exact}?`}`;
};
