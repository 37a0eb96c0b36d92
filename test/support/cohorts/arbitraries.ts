import fc from 'fast-check';
import { eventNames } from '../insights/stream.js';
import { type ActorKind } from './subjects.js';
import { type NaiveFilter } from '../../filters/naive.js';
import { type Group, type Leaf, type Node, type Step } from './naive.js';

const keys = ['plan', 'size', "o'b.c $1"];
const values = fc.constantFrom<unknown>('x', 'y', '', 1, 2, '2', true);

const propertyFilter = (type: 'person' | 'event'): fc.Arbitrary<Leaf> =>
  fc
    .record({
      type: fc.constant(type),
      key: fc.constantFrom(...keys),
      operator: fc.constantFrom('exact', 'is_not', 'is_set', 'is_not_set', 'gt', 'icontains', 'not_icontains'),
    })
    .chain(({ operator, ...rest }) => {
      const value = operator === 'gt' ? fc.constantFrom<unknown>(1, '2', 'x') : values;
      return operator.endsWith('set')
        ? fc.constant({ ...rest, operator })
        : value.map((v) => ({ ...rest, operator, value: v }));
    });

const negation = fc.constantFrom({}, {}, { negation: true }, { negation: false });

const longer = fc.constantFrom(
  { time_value: 1, time_interval: 'month' },
  { time_value: 20, time_interval: 'day' },
  { time_value: '3', time_interval: 'week' },
);
const anyLength = fc.oneof(
  longer,
  fc.constantFrom(
    { time_value: 90, time_interval: 'minute' },
    { time_value: 5, time_interval: 'hour' },
    { time_value: 1, time_interval: 'day' },
    { time_value: 1, time_interval: 'year' },
  ),
);
const shorter = fc.constantFrom(
  { seq_time_value: 45, seq_time_interval: 'minute' },
  { seq_time_value: 30, seq_time_interval: 'hour' },
  { seq_time_value: 3, seq_time_interval: 'day' },
  { seq_time_value: 1, seq_time_interval: 'week' },
);

const explicit = (now: Date): fc.Arbitrary<object> => {
  const at = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
  return fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }), fc.nat(2)).map(([a, b, form]) => {
    const [from, to] = [at(Math.max(a, b)), at(Math.min(a, b))];
    if (form === 0) return { explicit_datetime: from };
    if (form === 1) return { explicit_datetime: from, explicit_datetime_to: to };
    return { explicit_datetime: from.slice(0, 10), explicit_datetime_to: to.slice(0, 10) };
  });
};

const comparison = fc.record({
  operator: fc.constantFrom('eq', 'exact', 'gt', 'gte', 'lte'),
  operator_value: fc.constantFrom<unknown>(1, 2, '2', 3),
});

const filters = fc.oneof(
  fc.constant({}),
  fc.array(propertyFilter('event'), { maxLength: 2 }).map((f) => ({ event_filters: f })),
);

/** Mostly as many as a reader can count; the many cross changes of clocks, months of every length and years. */
const morePeriods = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(30, 100) },
);

/** The steps of an action. */
export const actionSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    event: fc.constantFrom(...eventNames, null),
    properties: fc.array(fc.oneof(propertyFilter('event'), propertyFilter('person')), { maxLength: 2 }),
  }) as fc.Arbitrary<{ event: string | null; properties: NaiveFilter[] }>,
  { minLength: 1, maxLength: 3 },
);

/** The records that a definition can refer to, by id, and what its members are. */
export interface References {
  readonly kind: ActorKind;
  readonly cohorts: readonly number[];
  readonly actions: readonly number[];
}

/** The name of an event or the id of an action, with its type. */
const what = ({ actions }: References): fc.Arbitrary<{ key: string | number; type: string }> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...eventNames).map((key) => ({ key, type: 'events' })) },
    ...(actions.length === 0
      ? []
      : [{ weight: 2, arbitrary: fc.constantFrom(...actions).map((key) => ({ key, type: 'actions' })) }]),
  );

/** Only of a group can persons be counted. */
const countOf = ({ kind }: References): fc.Arbitrary<object> =>
  kind === 'person' ? fc.constant({}) : fc.constantFrom({}, { count_of: 'events' }, { count_of: 'persons' });

/** A filter on the members; one on groups may have no type. */
const memberFilter = ({ kind }: References): fc.Arbitrary<Leaf> =>
  kind === 'person'
    ? propertyFilter('person')
    : fc
        .tuple(propertyFilter('person'), fc.boolean())
        .map(
          ([{ type: _, ...filter }, isTyped]) =>
            ({ ...(isTyped && { type: 'group', group_type_index: 0 }), ...filter }) as Leaf,
        );

const behavioural = (now: Date, references: References): fc.Arbitrary<Leaf> => {
  const window = fc.oneof(anyLength, explicit(now));
  const criterion = fc.oneof(
    window.map((w) => ({ value: 'performed_event', ...w })),
    fc
      .tuple(window, comparison, countOf(references))
      .map(([w, c, o]) => ({ value: 'performed_event_multiple', ...w, ...c, ...o })),
    window.map((w) => ({ value: 'performed_event_first_time', ...w })),
    fc
      .tuple(window, shorter, what(references), fc.array(propertyFilter('event'), { maxLength: 1 }))
      .map(([w, s, { key: seq_event, type: seq_event_type }, seq_event_filters]) => ({
        ...{ value: 'performed_event_sequence', ...w, ...s, seq_event, seq_event_type },
        ...(seq_event_filters.length > 0 ? { seq_event_filters } : {}),
      })),
    fc
      .tuple(anyLength, comparison, countOf(references), fc.integer({ min: 1, max: 4 }), morePeriods)
      .map(([w, c, o, min_periods, more]) => ({
        ...{ value: 'performed_event_regularly', ...w, ...c, ...o, min_periods, total_periods: min_periods + more },
      })),
    fc.tuple(longer, shorter).map(([w, s]) => ({ value: 'stopped_performing_event', ...w, ...s })),
    fc.tuple(longer, shorter).map(([w, s]) => ({ value: 'restarted_performing_event', ...w, ...s })),
  );
  return fc
    .tuple(what(references), criterion, filters, negation)
    .map(([{ key, type }, c, f, n]) => ({ type: 'behavioral', key, event_type: type, ...c, ...f, ...n }));
};

const leaf = (now: Date, references: References): fc.Arbitrary<Leaf> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.tuple(memberFilter(references), negation).map(([f, n]) => ({ ...f, ...n })) },
    { weight: 4, arbitrary: behavioural(now, references) },
    ...(references.cohorts.length === 0
      ? []
      : [
          {
            weight: 1,
            arbitrary: fc
              .tuple(fc.constantFrom(...references.cohorts), negation)
              .map(([value, n]) => ({ type: 'cohort', key: 'id', value, ...n })),
          },
        ]),
  );

/** Groups of leaves or of groups, three deep at most; some are empty, but not all. */
export const definition = (now: Date, references: References): fc.Arbitrary<Group> =>
  group(now, references, 3).filter(hasCriteria);

const hasCriteria = (node: Node): boolean => !('values' in node) || (node as Group).values.some(hasCriteria);

const group = (now: Date, references: References, depth: number): fc.Arbitrary<Group> => {
  const parts: fc.Arbitrary<readonly Node[]> = fc.oneof(
    { weight: 3, arbitrary: fc.array(leaf(now, references), { minLength: depth === 3 ? 1 : 0, maxLength: 3 }) },
    ...(depth > 1
      ? [{ weight: 2, arbitrary: fc.array(group(now, references, depth - 1), { minLength: 1, maxLength: 3 }) }]
      : []),
  );
  return fc.record({ type: fc.constantFrom('AND' as const, 'OR' as const), values: parts });
};
