import { join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { integer, list, text, unsigned, type Value } from '../../stores/clickhouse/values.js';
import { areNamesOnly, eventNames, type Entity } from '../asking/entity.js';
import { matchesEntity } from '../asking/entity.sql.js';
import { type QuestionScope } from '../asking/question-scope.js';
import { type FunnelDefinition } from './funnel.query.js';
import { numeral } from './numeral.sql.js';
import { type TimeRange } from '../../common/time/range.js';

/**
 * How an event is written as one whole number: its time since the beginning of the range, and behind it a bit for each
 * exclusion and each step it is one of. Sorted, exclusions of a moment come before its steps, and those in their order.
 */
export interface Layout {
  readonly definition: FunnelDefinition;
  readonly range: TimeRange;
  readonly isWide: boolean;
  readonly maskBits: number;
  /** Later than everything: the time of what never happened. */
  readonly never: Value;
  readonly window: Value;
  readonly begin: Value;
}

export const layoutOf = (definition: FunnelDefinition, range: TimeRange): Layout => {
  const maskBits = definition.steps.length + definition.exclusions.length;
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

export const stepsMask = (layout: Layout): number =>
  layout.definition.steps.reduce((mask, _, step) => mask + stepBit(layout, step), 0);

/** What the event `e` is, as bits. */
export const eventMask = (layout: Layout, scope: QuestionScope): Sql => {
  const { steps, exclusions } = layout.definition;
  const all = [
    ...exclusions.map(({ entity }, at) => ({ entity, bit: exclusionBit(at) })),
    ...steps.map((entity, at) => ({ entity, bit: stepBit(layout, at) })),
  ];
  const [named, filtered] = [
    all.filter(({ entity }) => areNamesOnly([entity])),
    all.filter(({ entity }) => !areNamesOnly([entity])),
  ];
  const bits = filtered.map(({ entity, bit }) => sql`if(${matchesEntity(entity, scope)}, ${numeral(bit)}, 0)`);
  return sql`toUInt32(${join([...(named.length === 0 ? [] : [bitsOfNames(named)]), ...bits], sql` + `)})`;
};

/** One look at the name for all of them. */
const bitsOfNames = (named: readonly { readonly entity: Entity; readonly bit: number }[]): Sql => {
  const bits = new Map<string, number>();
  for (const { entity, bit } of named) {
    for (const name of eventNames([entity]) ?? []) bits.set(name, (bits.get(name) ?? 0) + bit);
  }
  return sql`transform(e.event, ${list(text, [...bits.keys()])}, ${list(unsigned, [...bits.values()])}, toUInt64(0))`;
};

/** The event `e` as one number. */
export const packedEvent = ({ isWide, maskBits, begin }: Layout, mask: Sql): Sql =>
  sql`bitShiftLeft(${packed(isWide, sql`toUnixTimestamp64Milli(e.timestamp) - ${begin}`)}, ${numeral(maskBits)}) + ${mask}`;

/** An event that is everything and never happens: what looks for a next event always finds one. */
export const neverEvent = ({ isWide, maskBits, never }: Layout): Sql =>
  sql`bitShiftLeft(${packed(isWide, sql`${never}`)}, ${numeral(maskBits)}) + ${numeral(2 ** maskBits - 1)}`;

/** Time and bits of a packed event. */
export const timeOf = ({ isWide, maskBits }: Layout, event: Sql): Sql => {
  const time = sql`bitShiftRight(${event}, ${numeral(maskBits)})`;
  return isWide ? sql`toUInt64(${time})` : time;
};

export const bitsOf = ({ maskBits }: Layout, event: Sql): Sql =>
  sql`toUInt32(bitAnd(${event}, ${numeral(2 ** maskBits - 1)}))`;

export const hasAny = (event: Sql, bits: number): Sql => sql`bitAnd(${event}, ${numeral(bits)}) > 0`;

export const hasAll = (event: Sql, bits: number): Sql => sql`bitAnd(${event}, ${numeral(bits)}) = ${numeral(bits)}`;

export const momentOf = ({ begin }: Layout, time: Sql): Sql =>
  sql`fromUnixTimestamp64Milli(toInt64(${time}) + ${begin}, 'UTC')`;

/** Whether one event could be both: it takes two then, the second one later. */
export const mayShareEvents = (a: Entity, b: Entity): boolean =>
  a.parts.some((one) =>
    b.parts.some((other) => one.event === null || other.event === null || one.event === other.event),
  );

/** Whether every event is at most one thing, so that sorting alone puts those of a moment into their order. */
export const isDisjoint = ({ steps, exclusions }: FunnelDefinition): boolean => {
  const all = [...steps, ...exclusions.map(({ entity }) => entity)];
  return all.every((one, at) => all.slice(at + 1).every((other) => !mayShareEvents(one, other)));
};
