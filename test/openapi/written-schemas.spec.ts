import { describe, expect, it } from '@jest/globals';
import { type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { NamedActions } from '../../src/filters/actions/action-lookup.js';
import { readBreakdown } from '../../src/analytics/shared/breakdown.parameters.js';
import { Params } from '../../src/filters/asking/questions.js';
import { readEntity } from '../../src/analytics/shared/entity.js';
import { modernSchemas } from '../../src/app/openapi/app.openapi.schemas.js';
import { filtersFromGroups } from '../../src/cohorts/definition/legacy-groups.js';
import { readDefinition } from '../../src/cohorts/definition/read-definition.js';
import { invalidInput, Problem } from '../../src/platform/errors/problem.js';
import { type Normalised, normalise } from '../../src/kernel/event-log/normalise/normalise.js';
import { normaliseMessage } from '../../src/events/segment/message.js';
import { insightFilters, personFilters } from '../../src/filters/reading/filter-fields.js';
import { acceptedBy } from '../support/accepted.js';
import { definition } from '../support/cohorts/arbitraries.js';

const ajv = new Ajv2020({ strict: false });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'document', components: { schemas: acceptedBy(modernSchemas()) } });
const compiled = new Map<string, ValidateFunction>();

const fits = (name: string, value: unknown): boolean => {
  const validate = compiled.get(name) ?? ajv.compile({ $ref: `document#/components/schemas/${name}` });
  compiled.set(name, validate);
  return validate(value);
};

const none = new NamedActions();

/** What a reader says of a value: null when it takes it, else the field that it refuses. */
const refusal = (read: () => unknown): string | null => {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.attr ?? '';
    throw error;
  }
};

interface Written {
  readonly name: string;
  readonly read: (value: unknown) => unknown;
  /** Values that are right. */
  readonly right: readonly object[];
  /** Refusals that follow from several fields together, or from the store; no schema has them. */
  readonly beyond: RegExp;
}

const value = /\.value(\.\d+)?$/;
/** Filters may be sent as text, whose content a schema does not see. */
const filterText = /(properties|event_filters)$/;
const dates = { time_value: 7, time_interval: 'day' };
const did = (value: string, more: object) => ({ type: 'behavioral', key: 'paid', value, ...more });

const criteria = [
  did('performed_event', dates),
  did('performed_event', { explicit_datetime: '-30d', explicit_datetime_to: '-7d', event_type: 'events' }),
  did('performed_event_multiple', { ...dates, operator: 'gte', operator_value: 3, negation: true }),
  did('performed_event_first_time', { ...dates, event_filters: [{ type: 'event', key: 'plan', value: 'pro' }] }),
  did('performed_event_sequence', { ...dates, seq_event: 'left', seq_time_value: 1, seq_time_interval: 'day' }),
  did('performed_event_regularly', { ...dates, operator_value: 1, min_periods: 2, total_periods: 3 }),
  did('stopped_performing_event', { ...dates, seq_time_value: 1, seq_time_interval: 'day' }),
  did('restarted_performing_event', { ...dates, seq_time_value: 1, seq_time_interval: 'day' }),
  { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] },
  { key: 'plan', operator: 'is_set' },
  { type: 'cohort', key: 'id', value: 3, negation: true },
];

const context = { now: new Date('2026-01-02T10:00:00Z'), sentAt: null, index: 0, engage: false };

/** Refusals of events begin with the field that they are about. */
const taken = (read: Normalised): void => {
  if (read.ok) return;
  const { detail } = read.rejection;
  throw invalidInput(detail, detail.split(' ')[0] ?? '');
};

const captured = [
  [
    'CaptureEvent',
    { event: 'paid', distinct_id: 'ada', properties: { plan: 'pro' }, timestamp: '2026-01-01T00:00:00Z', offset: 3 },
  ],
  ['CaptureEvent', { event: 'paid', distinct_id: 3, uuid: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e', $set: { a: 1 } }],
  ['CaptureEvent', { event: 'paid', properties: { distinct_id: 'ada', $set_once: { a: 1 }, $unset: ['b'] } }],
  ['CapturedEvent', { event: '$identify', distinct_id: 'ada', properties: { $anon_distinct_id: 'device' } }],
  ['CapturedEvent', { event: '$create_alias', distinct_id: 'ada', properties: { alias: 'device' } }],
  [
    'CapturedEvent',
    {
      event: '$groupidentify',
      distinct_id: 'g',
      properties: { $group_type: 'company', $group_key: 'a', $group_set: {} },
    },
  ],
] as const;

const messages = [
  [
    'SegmentIdentify',
    { type: 'identify', messageId: 'm-1', userId: 'ada', anonymousId: 'device', traits: { plan: 'pro' } },
  ],
  [
    'SegmentTrack',
    { type: 'track', userId: 'ada', event: 'paid', properties: { plan: 'pro' }, timestamp: 1767225600000 },
  ],
  [
    'SegmentPage',
    { type: 'page', anonymousId: 'device', name: 'Pricing', properties: { path: '/' }, context: { ip: '1' } },
  ],
  ['SegmentScreen', { type: 'screen', anonymousId: 'device', name: 'Home', category: 'App', sentAt: '2026-01-01' }],
  ['SegmentGroup', { type: 'group', userId: 'ada', groupId: 'acme', traits: { seats: 3 } }],
  ['SegmentAlias', { type: 'alias', userId: 'ada', previousId: 'device' }],
] as const;

const written: readonly Written[] = [
  ...criteria.map((criterion) => ({
    name: 'CohortCriterion',
    read: (one: unknown) => readDefinition({ properties: { type: 'AND', values: [one] } }, 'filters', none),
    right: [criterion],
    // Times can be written in two ways, and some fields are compared with others.
    beyond:
      /\.(value(\.\d+)?|time_value|time_interval|explicit_datetime(_to)?|operator_value|min_periods|total_periods|seq_time_value)$|^filters\.properties\.values\.0\.key$|seq_event$/,
  })),
  {
    name: 'InsightFilters',
    read: (filters) => insightFilters.read(filters, 'properties'),
    right: [
      [{ type: 'event_metadata', key: 'timestamp', operator: 'gt', value: '2026-01-01' }],
      [{ type: 'person', key: 'plan', operator: 'not_in', value: ['pro', 3, true], negation: true }],
      { type: 'OR', values: [{ type: 'AND', values: [{ key: 'plan', operator: 'icontains', value: 'p' }] }] },
      { type: 'cohort', key: 'id', value: [3, 4], operator: 'not_in' },
      { plan: 'pro', age__gte: 3 },
      { key: 'a', values: 'b' },
    ],
    beyond: value,
  },
  {
    name: 'PersonFilters',
    read: (filters) => personFilters.read(filters, 'properties'),
    right: [[{ type: 'person', key: 'plan', value: 'pro' }], [{ type: 'static-cohort', key: 'id', value: 3 }]],
    beyond: value,
  },
  {
    name: 'Entity',
    read: (entity) => readEntity(entity, 'events', { actions: none }),
    right: [
      { id: 'paid', name: 'Paid', order: 2, properties: [{ key: 'plan', value: 'pro' }] },
      { id: null, custom_name: 'Anything' },
      { any_of: [{ id: 'a', properties: [] }, { id: null }], name: 'Either' },
    ],
    // Actions are read twice; the fault of an action that does not exist is not one of its form.
    beyond: /\.(value(\.\d+)?|id)$/,
  },
  {
    name: 'Breakdown',
    read: (entry) => readBreakdown(Params.of({}, { breakdowns: [entry] })),
    right: [
      { property: '$browser' },
      { property: 'plan', type: 'person', normalize_url: true, histogram_bin_count: 4 },
      { property: [3, 'all'], type: 'cohort' },
    ],
    beyond: /\.property(\.\d+)?$/,
  },
  {
    name: 'LegacyCohortGroup',
    read: (group) => readDefinition(filtersFromGroups([group]), 'filters', none),
    right: [
      { event_id: 'paid', days: 7, count: 2, count_operator: 'gte' },
      { properties: [{ key: 'plan', value: 'pro' }], label: 'Anything' },
      { properties: { plan: 'pro' } },
    ],
    // The group is translated first, and then read like any other definition.
    beyond: /^(groups|filters)\b/,
  },
  ...captured.map(([name, right]) => ({
    name,
    read: (event: unknown) => taken(normalise(event, context)),
    right: [right],
    // The id may be in several places, and any text may be too long as the text of an object.
    beyond: /^(distinct_id|properties\.(alias|\$anon_distinct_id))$/,
  })),
  ...messages.map(([name, right]) => ({
    name,
    read: (message: unknown) => taken(normaliseMessage(null)(message, context)),
    right: [right],
    // A path may tell the type, and each of two ids may be missing.
    beyond: /^(type|userId|distinct_id|previousId)$/,
  })),
];

/** Values that some field may have, and others that it may not. */
const anything = fc.constantFrom<unknown>(
  ...[
    null,
    '',
    'paid',
    'AND',
    'person',
    'event',
    'cohort',
    'events',
    'actions',
    'behavioral',
    'exact',
    'gt',
    'day',
    'id',
  ],
  ...['3', 0, 3, -1, 1.5, 1e12, true, [], ['a'], [3], {}, { a: 1 }, [{ key: 'plan', value: 'pro' }], [[1]]],
);

const keys = [
  'type',
  'key',
  'value',
  'operator',
  'negation',
  'id',
  'name',
  'order',
  'properties',
  'any_of',
  'time_value',
  'oparator',
  'label',
  'property',
  'values',
  'seq_event',
  'event_type',
];

/** A right value with a field that is missing, or has any other value. */
const almost = (right: object): fc.Arbitrary<unknown> => {
  if (Array.isArray(right)) return fc.tuple(...(right as object[]).map(almost));
  // Not read: the length of the time beside a beginning, an empty `properties` of the oldest form, the value of `is_set`,
  // the name beside `custom_name`.
  const unread = [
    ...('explicit_datetime' in right ? ['time_value', 'time_interval'] : []),
    ...('event_id' in right ? ['properties'] : []),
    ...('operator' in right && right.operator === 'is_set' ? ['value'] : []),
    ...('custom_name' in right ? ['name'] : []),
  ];
  const own = Object.keys(right);
  const change = fc.tuple(
    fc.constantFrom(...[...own, ...keys].filter((key) => !unread.includes(key))),
    fc.option(anything, { nil: undefined }),
  );
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const made = { ...right, ...Object.fromEntries(changes) } as Record<string, unknown>;
    return Object.fromEntries(Object.entries(made).filter(([, field]) => field !== undefined));
  });
};

describe('a schema that is written by hand', () => {
  it.each(written.map((one) => [one.name, JSON.stringify(one.right).slice(0, 90), one] as const))(
    '%s accepts %s, and with other fields what its reader accepts',
    (name, _, { read, right, beyond }) => {
      for (const one of right) {
        expect([one, refusal(() => read(one))]).toEqual([one, null]);
        expect([one, fits(name, one)]).toEqual([one, true]);
      }
      fc.assert(
        fc.property(fc.oneof(...right.map(almost)), (given) => {
          const refused = refusal(() => read(given));
          if (refused === null || !(beyond.test(refused) || filterText.test(refused)))
            expect([given, refused, fits(name, given)]).toEqual([given, refused, refused === null]);
        }),
        { numRuns: 400 },
      );
    },
  );

  it('of capture accepts every body that official SDKs have sent', () => {
    const file = new URL('../events/recordings.json', import.meta.url);
    const recordings = JSON.parse(readFileSync(file, 'utf8')) as { sdk: string; path: string; body: object }[];
    expect(recordings.length).toBeGreaterThan(100);
    for (const { sdk, path, body } of recordings) {
      const name = Array.isArray(body) ? 'CaptureEvents' : 'batch' in body ? 'CaptureBatch' : 'CapturedEvent';
      const fitting =
        name === 'CaptureEvents' ? (body as object[]).every((one) => fits('CapturedEvent', one)) : fits(name, body);
      expect([sdk, path, fitting]).toEqual([sdk, path, true]);
    }
  });

  it('of a cohort accepts every definition that the tests of cohorts make', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    fc.assert(
      fc.property(definition(now, { kind: 'person', cohorts: [3], actions: [] }), (properties) => {
        expect([properties, fits('CohortDefinition', { properties })]).toEqual([properties, true]);
      }),
      { numRuns: 300 },
    );
  });
});
