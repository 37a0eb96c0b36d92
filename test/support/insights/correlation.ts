import fc from 'fast-check';
import { storedText } from './filters.js';
import { actorsOf, naiveJourneys, reachOf, type NaiveFunnel } from './funnel.js';
import { funnelSettings, type FunnelSettings } from './funnel-question.js';
import { type Model, type ModelEvent } from './model.js';
import { eventNames } from './stream.js';

/** What is compared of those who converted and those who did not. */
export type Correlation =
  | { readonly type: 'events'; readonly exclude: readonly string[] }
  /** Null: every property that a person has. */
  | { readonly type: 'properties'; readonly names: readonly string[] | null; readonly exclude: readonly string[] }
  | { readonly type: 'event_with_properties'; readonly events: readonly string[]; readonly exclude: readonly string[] };

export interface CorrelationQuestion {
  readonly funnel: FunnelSettings;
  readonly correlation: Correlation;
}

/** Changes of persons and groups say nothing about behaviour. */
const isInternal = (event: string): boolean =>
  /^\$(create_alias|delete_person_property|groupidentify|identify|merge_dangerously|set)$/.test(event);

const keys = ['plan', 'size', "o'b.c $1"] as const;

const anyCorrelation: fc.Arbitrary<Correlation> = fc.oneof(
  fc.record({
    type: fc.constant('events' as const),
    exclude: fc.subarray([...eventNames, '$identify'], { maxLength: 1 }),
  }),
  fc.record({
    type: fc.constant('properties' as const),
    names: fc.option(fc.subarray([...keys], { minLength: 1, maxLength: 2 })),
    exclude: fc.subarray([...keys], { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('event_with_properties' as const),
    events: fc.subarray([...eventNames], { minLength: 1 }),
    exclude: fc.subarray([...keys], { maxLength: 1 }),
  }),
);

/** Two steps and long windows: some persons convert and others do not, and both do things on the way. */
export const correlationQuestion: fc.Arbitrary<CorrelationQuestion> = fc.record({
  funnel: fc
    .tuple(
      funnelSettings,
      fc.constantFrom<FunnelSettings['window']>([3, 'day', 3 * 86_400_000], [1, 'month', 30 * 86_400_000]),
    )
    .map(([funnel, window]) => ({ ...funnel, window, steps: funnel.steps.slice(0, 2) }))
    .filter(({ steps, exclusions }) => steps.length === 2 && exclusions.every(({ to }) => to < 2)),
  correlation: anyCorrelation,
});

export const correlationParameters = (correlation: Correlation): object => {
  const funnel_correlation_type = correlation.type;
  switch (correlation.type) {
    case 'events':
      return { funnel_correlation_type, funnel_correlation_exclude_event_names: correlation.exclude };
    case 'properties':
      return {
        funnel_correlation_type,
        funnel_correlation_names: correlation.names ?? ['$all'],
        funnel_correlation_exclude_names: correlation.exclude,
      };
    case 'event_with_properties':
      return {
        funnel_correlation_type,
        funnel_correlation_event_names: correlation.events,
        funnel_correlation_event_exclude_property_names: correlation.exclude,
      };
  }
};

export interface NaiveRow {
  readonly event: string | null;
  readonly property: string | null;
  readonly value: string | null;
  /** The persons who have it, of those who converted and those who did not. */
  readonly success: readonly string[];
  readonly failure: readonly string[];
  readonly odds: number;
  readonly kind: 'success' | 'failure';
}

export interface NaiveCorrelation {
  readonly success: readonly string[];
  readonly failure: readonly string[];
  readonly rows: readonly NaiveRow[];
}

/** Somebody on the way, with what it did strictly between the ends. */
interface Traveller {
  readonly actor: string;
  readonly converted: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly done: readonly ModelEvent[];
}

const travellersOf = (model: Model, funnel: NaiveFunnel): Traveller[] => {
  const events = actorsOf(model, funnel);
  return naiveJourneys(model, funnel, null).map((journey) => {
    const reach = reachOf(journey);
    const converted = reach === funnel.steps.length;
    const first = journey.attempts.find(({ length }) => length === reach) ?? [];
    const began = first[0] ?? NaN;
    const ended = converted ? (first.at(-1) ?? NaN) : began + funnel.windowMs;
    const own = events.get(journey.actor) ?? [];
    return {
      actor: journey.actor,
      converted,
      properties: own[0]?.person?.properties ?? {},
      done: own.filter(({ timestamp }) => timestamp.getTime() > began && timestamp.getTime() < ended),
    };
  });
};

type Trait = readonly [event: string | null, property: string | null, value: string | null];

const traitsOf = ({ properties, done }: Traveller, { steps }: NaiveFunnel, correlation: Correlation): Trait[] => {
  switch (correlation.type) {
    case 'events':
      return done
        .map(({ event }) => event)
        .filter(
          (event) =>
            !isInternal(event) && !correlation.exclude.includes(event) && steps.every(({ id }) => id !== event),
        )
        .map((event) => [event, null, null]);
    case 'properties':
      // Of all properties only those that a person has, of named ones that they are missing too.
      return (correlation.names ?? keys)
        .filter((key) => !correlation.exclude.includes(key))
        .map((key): Trait => [null, key, storedText(properties[key]) ?? ''])
        .filter(([, , value]) => correlation.names !== null || value !== '');
    case 'event_with_properties':
      return done
        .filter(({ event }) => correlation.events.includes(event))
        .flatMap((event) =>
          [...keys, '$session_id']
            .filter((key) => !correlation.exclude.includes(key))
            .map((key): Trait => [event.event, key, storedText(event.properties[key]) ?? '']),
        )
        .filter(([, , value]) => value !== '');
  }
};

/** Each person with its traits, then how many persons of both kinds have each trait. */
export const naiveCorrelation = (model: Model, funnel: NaiveFunnel, correlation: Correlation): NaiveCorrelation => {
  const travellers = travellersOf(model, funnel);
  const named = (converted: boolean, is: (traveller: Traveller) => boolean = () => true) =>
    travellers.filter((one) => one.converted === converted && is(one)).map(({ actor }) => actor);
  const [success, failure] = [named(true), named(false)];
  if (success.length === 0 || failure.length === 0) return { success, failure, rows: [] };
  const all = travellers.map((one) => ({
    one,
    has: traitsOf(one, funnel, correlation).map((trait) => JSON.stringify(trait)),
  }));
  const rows = [...new Set(all.flatMap(({ has }) => has))].map((trait): NaiveRow => {
    const [event, property, value] = JSON.parse(trait) as Trait;
    const who = (converted: boolean) =>
      named(converted, (one) => all.some((other) => other.one === one && other.has.includes(trait)));
    const [with_, without] = [who(true), who(false)];
    const above = (with_.length + 1) * (failure.length - without.length + 1);
    const below = (success.length - with_.length + 1) * (without.length + 1);
    const kind = above > below ? 'success' : 'failure';
    return { event, property, value, success: with_, failure: without, odds: above / below, kind };
  });
  const least = correlation.type === 'event_with_properties' ? 3 : 1;
  const size = (row: NaiveRow) => row.success.length + row.failure.length;
  const text = ({ event, property, value }: NaiveRow) => [event, property, value].map((part) => part ?? '').join('\0');
  const ranked = rows
    .filter((row) => size(row) >= least)
    .sort(
      (a, b) =>
        (a.kind === b.kind ? 0 : a.kind === 'success' ? -1 : 1) ||
        (a.kind === 'success' ? b.odds - a.odds : a.odds - b.odds) ||
        size(b) - size(a) ||
        (text(a) < text(b) ? -1 : 1),
    );
  const shown = (['success', 'failure'] as const).flatMap((kind) =>
    ranked.filter((row) => row.kind === kind).slice(0, 50),
  );
  return { success, failure, rows: shown };
};
