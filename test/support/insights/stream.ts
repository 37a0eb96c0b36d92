import fc from 'fast-check';
import { type Clock } from './buckets.js';

export interface StreamPerson {
  readonly distinctIds: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly isIdentified: boolean;
}

export interface StreamEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** `$identify` or `$create_alias` of `distinctId`, which takes over what `other` did: an event like any other too. */
export interface StreamMerge {
  readonly uuid: string;
  readonly kind: 'identify' | 'alias';
  readonly distinctId: string;
  readonly other: string;
  readonly timestamp: Date;
  readonly properties?: StreamEvent['properties'];
}

export interface Stream extends Clock {
  readonly persons: readonly StreamPerson[];
  /** What describes the groups that events name. */
  readonly groups?: readonly object[];
  /** In the log before the merges, so that these change what is projected already. */
  readonly before: readonly StreamEvent[];
  readonly merges: readonly StreamMerge[];
  readonly after: readonly StreamEvent[];
}

/** Moments at which clocks change, among them half an hour (Lord Howe) and the hour at midnight (Cairo). */
export const clockChanges: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2024-03-01T00:00:00Z', '2024-12-31T00:00:00Z'],
  'America/New_York': ['2024-03-10T07:00:00Z', '2024-11-03T06:00:00Z'],
  'Europe/Berlin': ['2024-03-31T01:00:00Z', '2024-10-27T01:00:00Z'],
  'Australia/Lord_Howe': ['2024-04-06T15:00:00Z', '2024-10-05T15:30:00Z'],
  'Africa/Cairo': ['2024-04-25T22:00:00Z', '2024-10-31T21:00:00Z'],
};

/** Also places where midnight comes twice, changes of two hours, and clocks apart by odd quarters of one. */
export const moreClockChanges: Readonly<Record<string, readonly string[]>> = {
  ...clockChanges,
  'Atlantic/Azores': ['2024-03-31T01:00:00Z', '2024-10-27T01:00:00Z'],
  'America/Havana': ['2024-03-10T05:00:00Z', '2024-11-03T05:00:00Z'],
  'Asia/Beirut': ['2024-03-30T22:00:00Z', '2024-10-26T21:00:00Z'],
  'Africa/Casablanca': ['2024-03-10T02:00:00Z', '2024-04-14T02:00:00Z'],
  'Antarctica/Troll': ['2024-03-31T01:00:00Z', '2024-10-27T01:00:00Z'],
  'Pacific/Chatham': ['2024-04-06T14:00:00Z', '2024-09-28T14:00:00Z'],
  'Asia/Kathmandu': ['2024-02-29T00:00:00Z'],
};

export const eventNames = ['open', 'buy', 'leave'] as const;
/** Ids of persons; `ghost` belongs to none. */
export const distinctIds = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
export const ghost = 'ghost';

const minutes = 60_000;

/** Close around the change by quarters of an hour, or days away by hours; ties are intended. */
export const timeNear = (change: number): fc.Arbitrary<Date> =>
  fc
    .oneof(
      fc.integer({ min: -16, max: 16 }).map((quarters) => quarters * 15),
      fc.integer({ min: -15 * 24, max: 15 * 24 }).map((hours) => hours * 60),
    )
    .map((offset) => new Date(change + offset * minutes));

const value = fc.constantFrom<unknown>('x', 'y', '', 1, 2, '2', 2.5, true, null);

/** Few keys and few values, some missing, some null, numbers and their text. */
export const properties = fc.dictionary(fc.constantFrom('plan', 'size', "o'b.c $1"), value, { maxKeys: 3 });

/** Events of the same plan are one session, also of several persons and on several days. */
const withSession = (sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  'plan' in sent ? { ...sent, $session_id: sent.plan } : sent;

export const eventsNear = (change: number, maxLength: number, minLength = 0): fc.Arbitrary<StreamEvent[]> =>
  fc.array(
    fc.record({
      uuid: fc.uuid({ version: 4 }),
      event: fc.constantFrom(...eventNames),
      distinctId: fc.constantFrom(...distinctIds, ghost),
      timestamp: timeNear(change),
      properties: properties.map(withSession),
    }),
    { minLength, maxLength },
  );

/** Every id but the ghost has a person from the start, some of them two ids. */
export const personsNear = (change: number): fc.Arbitrary<StreamPerson[]> =>
  fc
    .tuple(
      ...distinctIds.map(() =>
        fc.record({ joined: fc.boolean(), properties, createdAt: timeNear(change), isIdentified: fc.boolean() }),
      ),
    )
    .map((drawn) => {
      const persons: (StreamPerson & { readonly distinctIds: string[] })[] = [];
      for (const [n, { joined, ...person }] of drawn.entries()) {
        const last = persons.at(-1);
        if (joined && last?.distinctIds.length === 1) last.distinctIds.push(distinctIds[n] ?? '');
        else persons.push({ ...person, distinctIds: [distinctIds[n] ?? ''] });
      }
      return persons;
    });

const mergesNear = (change: number): fc.Arbitrary<StreamMerge[]> =>
  fc
    .array(
      fc.record({
        uuid: fc.uuid({ version: 4 }),
        kind: fc.constantFrom('identify' as const, 'alias' as const),
        distinctId: fc.constantFrom(...distinctIds),
        other: fc.constantFrom(...distinctIds),
        timestamp: timeNear(change),
      }),
      { maxLength: 3 },
    )
    .map((merges) => merges.filter(({ distinctId, other }) => distinctId !== other));

/** Few persons doing few things around a change of the project's clocks, some of them merged half-way. */
export const stream = ({
  maxEvents = 25,
  minEvents = 0,
  changes = clockChanges,
}: {
  readonly maxEvents?: number;
  readonly minEvents?: number;
  readonly changes?: Readonly<Record<string, readonly string[]>>;
} = {}): fc.Arbitrary<Stream> =>
  fc
    .constantFrom(...Object.entries(changes).flatMap(([zone, times]) => times.map((time) => [zone, time] as const)))
    .chain(([zone, time]) => {
      const change = Date.parse(time);
      return fc.record({
        zone: fc.constant(zone),
        weekStartDay: fc.constantFrom(0, 1, 6),
        persons: personsNear(change),
        before: eventsNear(change, maxEvents, minEvents),
        merges: mergesNear(change),
        after: eventsNear(change, 6),
      });
    });

const urls = new Map<unknown, string>([
  ['y', 'x/?'],
  [true, '#'],
]);

const withUrlsIn = (properties: StreamEvent['properties']): StreamEvent['properties'] =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, urls.get(value) ?? value]));

/** The same stream with values that are others once they are normalised as URLs. */
export const withUrls = (drawn: Stream): Stream => {
  const changed = <T extends Pick<StreamEvent, 'properties'>>(some: readonly T[]): T[] =>
    some.map((one) => ({ ...one, properties: withUrlsIn(one.properties) }));
  return {
    ...drawn,
    persons: changed(drawn.persons),
    before: changed(drawn.before),
    after: changed(drawn.after),
  };
};
