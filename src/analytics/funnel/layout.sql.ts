import {
  type Sql,
  type Value,
  integer,
  join,
  list,
  numeral,
  sql,
  text,
  unsigned,
} from '../../platform/clickhouse/sql.js';
import { type Entity, areNamesOnly, eventNames, matchesEntity } from '../shared/entity.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { type FunnelDefinition } from './funnel.query.js';
import { type TimeRange } from '../../platform/time/range.js';

/** All entities whose events a funnel reads. */
export const entitiesOf = ({ steps, optional, exclusions }: FunnelDefinition): readonly Entity[] => [
  ...steps,
  ...[...optional, ...exclusions].map(({ entity }) => entity),
];

/**
 * An event as one whole number: the time since the beginning of the range in the high bits, and in the low bits one bit for each
 * exclusion and each step that the event matches. Sorting the numbers puts the exclusions of a moment before its steps, the steps
 * into their order, and optional steps after them.
 *
 * Columns of the funnel SQL. A *position* is an index of `events`; an array column has one element for each position. Digits are the
 * number of a step or an exclusion, from 0.
 *
 * | column        | content                                                                                                          |
 * | ------------- | ---------------------------------------------------------------------------------------------------------------- |
 * | `events`      | the packed events of an actor, sorted; the last one is the never event. `found`: the same before it is closed    |
 * | `start`       | the bits of the steps that an attempt may begin with                                                             |
 * | `x0`          | what chains carry: the times of the next event of each exclusion and optional step after the position              |
 * | `c1`          | the chain if the event at the position converts step 1: the times of steps 1, 2, …, then what is carried            |
 * | `g1`          | `c1` of the next position, this one included, whose event is step 1                                                 |
 * | `l1`          | the same without this position: `g1`, one position later                                                               |
 * | `many`        | the number of events of the moment, and `runs`: how many steps they convert from each step on, if they are many  |
 * | `d1`          | strict: the chain if the position continues an attempt with step 1. `f1`: the same, one position later                 |
 * | `taken`       | strict: the number of steps that an attempt converts at the position where it begins                                |
 * | `each`        | unordered, if steps may share events: the single events. `ticks`: their times, made unique; `leads`: the firsts  |
 * | `m1_2`        | unordered: the next two moments or ticks, this one included, at which step 1 may be taken                        |
 * | `p1`          | unordered: the moment that step 1 takes. `in_time`: the moments of all steps, sorted                             |
 * | `chains`      | the times of all steps if an attempt begins at the position, then what is carried                                   |
 * | `attempts`    | one tuple for each attempt: the number of steps reached, the time of each step, the bits of the optional steps taken |
 * | `reach`       | the greatest number of steps reached in one attempt. `tries`: the attempts that reach it                         |
 *
 * Optional steps are no steps of the chains. An optional step is taken at its first event after the step before it, if that is
 * not after the next step, nor after a later optional step of the same gap. An event that could be both needs another moment.
 *
 * Parameters of lambdas are single elements: `n1` of `g1` or `l1`, `y0` of `x0`, `q1` or `r1` of `p1`, `m` and `b` of `m1_…`,
 * `c` of `chains`, `a` of `attempts`, `e1` the event of step 1. So `a.1` is the number of steps reached, and `a.2` the time of step 0.
 *
 * Example: the steps A and B with the exclusion X between them, a window of 100, and an actor with A at 10, X at 20, A at 30 and B
 * at 40. X has the bit 1, A 2 and B 4; ∞ is the time of the never event, which has all three bits.
 *
 *     events    10·8+2       20·8+1       30·8+2       40·8+4       ∞·8+7
 *     x0        20           ∞            ∞            ∞            ∞
 *     c1        (10)         (20)         (30)         (40)         (∞)           meant only where the event is B
 *     g1        (40)         (40)         (40)         (40)         (∞)
 *     c0        (10,40,20)   (20,40,∞)    (30,40,∞)    (40,40,∞)    (∞,∞,∞)       the chains
 *
 * An attempt begins at each A: (10,40,20) and (30,40,∞). X at 20 comes before B at 40 and spoils the first. The second reaches both
 * steps within the window, so `attempts` is [(2,30,40)]. If A could be any event, B would need a later position than A: `l1` is
 * (40), (40), (40), (∞), (∞).
 *
 * Events of one moment have no order of their own: they are in whatever order takes an attempt farthest. So several events of a moment
 * may convert several steps in a row, each its own, and an excluded event of the moment of a step does not come between.
 */
export interface Layout {
  readonly definition: FunnelDefinition;
  readonly range: TimeRange;
  readonly isWide: boolean;
  readonly maskBits: number;
  /** The time of an event that never happens: later than every other time. */
  readonly never: Value;
  readonly window: Value;
  readonly begin: Value;
}

export const layoutOf = (definition: FunnelDefinition, range: TimeRange): Layout => {
  const maskBits = definition.steps.length + definition.optional.length + definition.exclusions.length;
  const span = Math.max(0, range.to.getTime() - range.from.getTime()) + definition.windowMs + 2;
  const narrowNever = 2n ** BigInt(63 - maskBits) - 1n;
  const isWide = BigInt(span) >= narrowNever;
  return {
    definition,
    range,
    isWide,
    maskBits,
    never: unsigned(isWide ? 2n ** 62n : narrowNever),
    window: unsigned(definition.windowMs),
    begin: integer(range.from.getTime()),
  };
};

const packed = (isWide: boolean, number: Sql): Sql => (isWide ? sql`toUInt128(${number})` : sql`toUInt64(${number})`);

export const stepBit = ({ definition }: Layout, step: number): number => 2 ** (definition.exclusions.length + step);
export const exclusionBit = (exclusion: number): number => 2 ** exclusion;

/** The bits of optional steps are the highest, so that at one moment they come after the step before them. */
export const optionalBit = ({ definition: { exclusions, steps } }: Layout, at: number): number =>
  2 ** (exclusions.length + steps.length + at);

export const stepsMask = (layout: Layout): number =>
  [
    ...layout.definition.steps.map((_, step) => stepBit(layout, step)),
    ...layout.definition.optional.map((_, at) => optionalBit(layout, at)),
  ].reduce((mask, bit) => mask + bit, 0);

/** The bits of the exclusions and steps that the event `e` matches. */
export const eventMask = (layout: Layout, scope: QuestionScope): Sql => {
  const { steps, optional, exclusions } = layout.definition;
  const all = [
    ...exclusions.map(({ entity }, at) => ({ entity, bit: exclusionBit(at) })),
    ...steps.map((entity, at) => ({ entity, bit: stepBit(layout, at) })),
    ...optional.map(({ entity }, at) => ({ entity, bit: optionalBit(layout, at) })),
  ];
  const [named, filtered] = [
    all.filter(({ entity }) => areNamesOnly([entity])),
    all.filter(({ entity }) => !areNamesOnly([entity])),
  ];
  const bits = filtered.map(({ entity, bit }) => sql`if(${matchesEntity(entity, scope)}, ${numeral(bit)}, 0)`);
  return sql`toUInt32(${join([...(named.length === 0 ? [] : [bitsOfNames(named)]), ...bits], sql` + `)})`;
};

/** The bits of all entities without a filter, by a single look-up of the event name. */
const bitsOfNames = (named: readonly { readonly entity: Entity; readonly bit: number }[]): Sql => {
  const bits = new Map<string, number>();
  for (const { entity, bit } of named) {
    for (const name of eventNames([entity]) ?? []) bits.set(name, (bits.get(name) ?? 0) + bit);
  }
  return sql`transform(e.event, ${list(text, [...bits.keys()])}, ${list(unsigned, [...bits.values()])}, toUInt64(0))`;
};

/** The event `e` as one packed number. */
export const packedEvent = ({ isWide, maskBits, begin }: Layout, mask: Sql): Sql =>
  sql`bitShiftLeft(${packed(isWide, sql`toUnixTimestamp64Milli(e.timestamp) - ${begin}`)}, ${numeral(maskBits)}) + ${mask}`;

/** The never event matches every step and exclusion, so that a search for a next event always has a result. */
export const neverEvent = ({ isWide, maskBits, never }: Layout): Sql =>
  sql`bitShiftLeft(${packed(isWide, sql`${never}`)}, ${numeral(maskBits)}) + ${numeral(2 ** maskBits - 1)}`;

/** The time of a packed event. */
export const timeOf = ({ isWide, maskBits }: Layout, event: Sql): Sql => {
  const time = sql`bitShiftRight(${event}, ${numeral(maskBits)})`;
  return isWide ? sql`toUInt64(${time})` : time;
};

export const bitsOf = ({ maskBits }: Layout, event: Sql): Sql =>
  sql`toUInt32(bitAnd(${event}, ${numeral(2 ** maskBits - 1)}))`;

export const hasAny = (event: Sql, bits: number): Sql => sql`bitAnd(${event}, ${numeral(bits)}) > 0`;

export const momentOf = ({ begin }: Layout, time: Sql): Sql =>
  sql`fromUnixTimestamp64Milli(toInt64(${time}) + ${begin}, 'UTC')`;

/** True if one event could match both entities. Each of the two steps then needs an event of its own. */
export const mayShareEvents = (a: Entity, b: Entity): boolean =>
  a.parts.some((one) =>
    b.parts.some((other) => one.event === null || other.event === null || one.event === other.event),
  );

/** True if every event matches at most one entity, so that sorting alone puts the events of a moment into their order. */
export const isDisjoint = (definition: FunnelDefinition): boolean => {
  const all = entitiesOf(definition);
  return all.every((one, at) => all.slice(at + 1).every((other) => !mayShareEvents(one, other)));
};
