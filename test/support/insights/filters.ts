import fc from 'fast-check';
import { type ModelEvent } from './model.js';
import { distinctIds, eventNames, ghost } from './stream.js';

/** One filter as it is sent. */
export interface Leaf {
  readonly type: 'event' | 'person' | 'event_metadata';
  readonly key: string;
  readonly operator: string;
  readonly value?: unknown;
}

export interface FilterGroup {
  readonly type: 'AND' | 'OR';
  readonly values: readonly Leaf[];
}

/** The counted events: of one of the names, of any without a name, that pass. */
export interface Counted {
  readonly names: readonly string[];
  readonly filters: readonly Leaf[];
}

const comparisons = [
  ['exact', ['x', '2', 1, 'true', ['x', '2'], '2.5', '']],
  ['is_not', ['x', '2', ['y', 1]]],
  ['icontains', ['X', '2', 'RU']],
  ['not_icontains', ['x', '2']],
  ['gt', [1, '1.5']],
  ['lte', [2]],
  ['is_set', [undefined]],
  ['is_not_set', [undefined]],
] as const;

const propertyLeaf: fc.Arbitrary<Leaf> = fc.constantFrom(...comparisons).chain(([operator, values]) =>
  fc.record({
    type: fc.constantFrom('event' as const, 'person' as const),
    key: fc.constantFrom('plan', 'size', "o'b.c $1"),
    operator: fc.constant(operator),
    value: fc.constantFrom<unknown>(...values),
  }),
);

const metadataLeaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({
    type: fc.constant('event_metadata' as const),
    key: fc.constant('event'),
    operator: fc.constantFrom('exact', 'is_not'),
    value: fc.constantFrom<unknown>(...eventNames, ['open', '$identify']),
  }),
  fc.record({
    type: fc.constant('event_metadata' as const),
    key: fc.constant('distinct_id'),
    operator: fc.constantFrom('exact', 'is_not'),
    value: fc.constantFrom<unknown>(...distinctIds, [ghost, 'a', 'b']),
  }),
);

export const leaf = fc.oneof({ weight: 5, arbitrary: propertyLeaf }, { weight: 1, arbitrary: metadataLeaf });

/** None most of the time, because questions with many conditions are mostly about no event. */
export const fewFilters: fc.Arbitrary<readonly Leaf[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 2 }) },
);

/** The filters of the projects of streams on test accounts. */
export const testAccountFilters: readonly Leaf[] = [
  { type: 'person', key: 'plan', operator: 'is_not', value: 'x' },
  { type: 'event', key: 'size', operator: 'is_not', value: 'y' },
];

export const filterGroup: fc.Arbitrary<FilterGroup> = fc.record({
  type: fc.constantFrom('AND', 'OR'),
  values: fc.array(leaf, { minLength: 1, maxLength: 2 }),
});

export const counted: fc.Arbitrary<Counted> = fc.record({
  names: fc.oneof(fc.constant([]), fc.subarray([...eventNames], { minLength: 1, maxLength: 2 })),
  filters: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(leaf, { maxLength: 2 }) },
  ),
});

export const entityOf = ({ names, filters }: Counted): object => ({
  ...(names.length === 1
    ? { id: names[0] }
    : names.length === 0
      ? { id: null }
      : { name: 'two', any_of: names.map((id) => ({ id })) }),
  ...(filters.length > 0 ? { properties: filters } : {}),
});

/** Once in four times. */
export const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** The text that a value is compared as; null for what is not there. */
export const storedText = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

const numberIn = (text: string | null): number => (text === null || text.trim() === '' ? NaN : Number(text));

const valueOf = ({ type, key }: Leaf, event: ModelEvent): string | null => {
  if (type === 'event_metadata') return key === 'event' ? event.event : event.distinctId;
  return storedText((type === 'event' ? event.properties : (event.person?.properties ?? {}))[key]);
};

const holds = (filter: Leaf, event: ModelEvent): boolean => {
  const found = valueOf(filter, event);
  const expected = (Array.isArray(filter.value) ? (filter.value as unknown[]) : [filter.value]).map(
    (value) => storedText(value) ?? '',
  );
  const contains = expected.some((text) => found?.toLowerCase().includes(text.toLowerCase()));
  const isOne = found !== null && expected.includes(found);
  switch (filter.operator) {
    case 'exact':
      return isOne;
    case 'is_not':
      return !isOne;
    case 'icontains':
      return contains;
    case 'not_icontains':
      return !contains;
    case 'gt':
      return numberIn(found) > Number(filter.value);
    case 'lte':
      return numberIn(found) <= Number(filter.value);
    case 'is_set':
      return found !== null;
    case 'is_not_set':
      return found === null;
    default:
      throw new Error(`unknown operator ${filter.operator}`);
  }
};

export const passes = (group: FilterGroup | null, event: ModelEvent): boolean => {
  if (group === null) return true;
  return group.type === 'AND'
    ? group.values.every((filter) => holds(filter, event))
    : group.values.some((filter) => holds(filter, event));
};

export const passesAll = (filters: readonly Leaf[], event: ModelEvent): boolean =>
  filters.every((filter) => holds(filter, event));

export const counts = ({ names, filters }: Counted, event: ModelEvent): boolean =>
  (names.length === 0 || names.includes(event.event)) && passesAll(filters, event);
