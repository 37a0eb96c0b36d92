import fc from 'fast-check';
import { type ModelEvent } from './model.js';
import { eventNames } from './stream.js';

/** A condition as a question says it. */
export interface AskedFilter {
  readonly type: 'event' | 'person';
  readonly key: string;
  readonly operator: 'exact' | 'is_not';
  readonly value: string;
}

/** Events of one of the names, or of any where there is none, that pass the filters. */
export interface AskedEntity {
  readonly names: readonly string[];
  readonly filters: readonly AskedFilter[];
}

/** The text of what a property holds; null where it holds nothing. */
export const storedText = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

export const passes = (event: ModelEvent, filters: readonly AskedFilter[]): boolean =>
  filters.every(({ type, key, operator, value }) => {
    const properties = type === 'event' ? event.properties : (event.person?.properties ?? {});
    return (storedText(properties[key]) === value) === (operator === 'exact');
  });

export const isOf = (event: ModelEvent, { names, filters }: AskedEntity): boolean =>
  (names.length === 0 || names.includes(event.event)) && passes(event, filters);

export const actorOf = ({ person, distinctId }: ModelEvent): string => person?.name ?? distinctId;

export const wireEntity = ({ names, filters }: AskedEntity): object => ({
  ...(names.length === 1
    ? { id: names[0] }
    : names.length === 0
      ? { id: null }
      : { name: 'some', any_of: names.map((id) => ({ id })) }),
  ...(filters.length === 0 ? {} : { properties: filters }),
});

/** What projects of streams take for their own people. */
export const testAccountFilters: readonly AskedFilter[] = [
  { type: 'person', key: 'plan', operator: 'is_not', value: 'x' },
  { type: 'event', key: 'size', operator: 'is_not', value: 'y' },
];

export const askedFilter: fc.Arbitrary<AskedFilter> = fc.record({
  type: fc.constantFrom('event' as const, 'person' as const),
  key: fc.constantFrom('plan', 'size', "o'b.c $1"),
  operator: fc.constantFrom('exact' as const, 'is_not' as const, 'is_not' as const, 'is_not' as const),
  value: fc.constantFrom('x', '2', '1', 'true', ''),
});

/** None most of the time: what asks for much is mostly about nothing. */
export const askedFilters: fc.Arbitrary<readonly AskedFilter[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(askedFilter, { minLength: 1, maxLength: 2 }) },
);

export const askedEntity: fc.Arbitrary<AskedEntity> = fc.record({
  names: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...eventNames).map((name) => [name]) },
    { weight: 1, arbitrary: fc.subarray([...eventNames], { minLength: 2, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  filters: askedFilters,
});

/** Values as a query string takes them: texts as they are, the rest as JSON. */
export const queryOf = (asked: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
