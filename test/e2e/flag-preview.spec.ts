import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readRules } from '../../src/flags/definition/read-rules.js';
import { decideFlag } from '../../src/flags/evaluation/decide.js';
import { type FlagPreviewDto } from '../../src/flags/preview/flag-preview.dto.js';
import { CohortsOf } from '../support/cohorts/cohorts-of.js';
import { GroupsOf, describes } from '../support/groups.js';
import { importLines, personLine } from '../support/import.js';
import { runsOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;
let listed: number;

/** Every third person is known by a generated id only, and every fifth by one before the chosen one. */
const generated = (at: number): string => `0190${String(at).padStart(4, '0')}-aaaa-7bbb-8ccc-ddddeeeeffff`;
const persons = Array.from({ length: 120 }, (_, at) => ({
  ids: at % 3 === 0 ? [generated(at)] : at % 5 === 0 ? [generated(at), `user-${at}`] : [`user-${at}`, `zweite ${at}`],
  properties: { plan: ['pro', 'free', 'Pro'][at % 3], age: at % 50 },
}));
const knownBy = ({ ids }: (typeof persons)[number]): string => ids.find((id) => !id.startsWith('0190')) ?? ids[0] ?? '';
const isListed = (at: number): boolean => at % 4 === 0;

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, (await service.newProject()).id);
  await importLines(
    service,
    of.projectId,
    persons.map(({ ids, properties }) => personLine(ids, properties)),
  );
  const members = persons.flatMap((person, at) => (isListed(at) ? [knownBy(person)] : []));
  listed = (await of.create({ is_static: true, distinct_ids: members })).id;
});
afterAll(() => service.stop());

const preview = async (key: string, filters: object): Promise<FlagPreviewDto> => {
  const { status, body } = await of.call('POST', 'feature_flags/preview', { body: { key, filters } });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as FlagPreviewDto;
};

/** Counts by the decision that SDKs get. */
const naively = (key: string, filters: object): FlagPreviewDto => {
  const { rules } = readRules(filters, 'filters');
  const flag = {
    id: 1,
    key,
    name: '',
    active: true,
    version: 1,
    rules,
    cohorts: [],
    readsPersons: true,
    readsGroups: false,
  };
  const decisions = persons.map((person, at) => {
    const actor = { properties: person.properties, groupKey: null, isMemberOf: () => isListed(at) };
    const everyone = { person: { id: knownBy(person), actor }, groups: new Map() };
    return decideFlag(flag, everyone, new Date());
  });
  const { variants, holdout, conditions } = rules;
  const keys = [...variants.map((variant) => variant.key), ...(holdout ? [`holdout-${holdout.id}`] : [])];
  return {
    group_type_index: null,
    total: persons.length,
    enabled: decisions.filter(({ enabled }) => enabled).length,
    variants: keys.map((one) => ({ key: one, count: decisions.filter(({ variant }) => variant === one).length })),
    conditions: conditions.map(({ match }, index) => ({
      matched: persons.filter(({ properties }, at) =>
        match({ properties, groupKey: null, isMemberOf: () => isListed(at) }, new Date()),
      ).length,
      decided: decisions.filter(({ enabled, condition }) => enabled && condition === index).length,
    })),
  };
};

const leaf = fc.oneof(
  fc.constantFrom('pro', 'free').map((value) => ({ type: 'person', key: 'plan', value })),
  fc.integer({ min: 0, max: 50 }).map((value) => ({ type: 'person', key: 'age', operator: 'lt', value })),
  fc.constantFrom('in', 'not_in').map((operator) => ({ type: 'cohort', key: 'id', operator, value: 0 })),
);
const percentage = fc.constantFrom(null, 0, 0.1, 12.5, 33.3, 50, 99.9, 100);
const condition = fc.record({ properties: fc.array(leaf, { maxLength: 2 }), rollout_percentage: percentage });
const variants = fc.constantFrom(
  null,
  [33.3, 33.3, 33.4].map((share, at) => ({ key: `v${at}`, rollout_percentage: share })),
  [0, 12.5, 87.5].map((share, at) => ({ key: `v${at}`, rollout_percentage: share })),
);
const rules = fc
  .record({
    groups: fc.array(fc.tuple(condition, fc.boolean()), { maxLength: 4 }),
    variants,
    early_exit: fc.boolean(),
    holdout: fc.option(percentage.map((share) => ({ id: 7, exclusion_percentage: share ?? 20 }))),
  })
  .map(({ groups, variants: list, ...rest }) => ({
    ...rest,
    groups: groups.map(([one, isGiven]) => ({ ...one, variant: isGiven && list ? 'v1' : null })),
    multivariate: list && { variants: list },
  }));

describe('the preview of a flag', () => {
  it('counts by hand: who matches, who is within the percentage, and who gets which variant', async () => {
    const filters = {
      groups: [
        { properties: [{ type: 'person', key: 'plan', value: 'free' }], variant: 'short' },
        { properties: [{ type: 'person', key: 'age', operator: 'lt', value: 10 }], rollout_percentage: 0 },
      ],
      multivariate: {
        variants: [
          { key: 'long', rollout_percentage: 100 },
          { key: 'short', rollout_percentage: 0 },
        ],
      },
    };
    // Of 120 persons every third has the plan; ages 0 to 9 are 10 of each 50, and of the last 20.
    expect(await preview('pricing', filters)).toEqual({
      group_type_index: null,
      total: 120,
      enabled: 40,
      variants: [
        { key: 'long', count: 0 },
        { key: 'short', count: 40 },
      ],
      conditions: [
        { matched: 40, decided: 40 },
        { matched: 30, decided: 0 },
      ],
    });
  });

  it('equals the decision for each person, whatever the conditions, variants and percentages are', async () => {
    await fc.assert(
      fc.asyncProperty(rules, fc.constantFrom('pricing', 'new-checkout', 'x'), async (drawn, key) => {
        const groups = drawn.groups.map((one) => ({
          ...one,
          properties: one.properties.map((each) => (each.type === 'cohort' ? { ...each, value: listed } : each)),
        }));
        expect(await preview(key, { ...drawn, groups })).toEqual(naively(key, { ...drawn, groups }));
      }),
      { numRuns: runsOf(400, 10) },
    );
  }, 60_000);

  it('counts groups by their keys for a flag about groups, in which conditions about persons hold for no one', async () => {
    const groups = new GroupsOf(service, of.projectId);
    await groups.send(...['acme', 'birch', 'cedar'].map((key) => describes('company', key, { seats: key.length })));
    const filters = {
      aggregation_group_type_index: 0,
      groups: [
        { properties: [{ type: 'group', group_type_index: 0, key: 'seats', operator: 'gt', value: 4 }] },
        { properties: [], aggregation_group_type_index: null },
      ],
    };
    const counted = { group_type_index: 0, total: 3, enabled: 2, variants: [] };
    const conditions = [
      { matched: 2, decided: 2 },
      { matched: 0, decided: 0 },
    ];
    expect(await preview('beta', filters)).toEqual({ ...counted, conditions });
  });

  it('is refused as the flag itself would be', async () => {
    const filters = { groups: [{ properties: [{ type: 'cohort', key: 'id', value: 999_999 }] }] };
    const { status, body } = await of.call('POST', 'feature_flags/preview', { body: { key: 'x', filters } });
    expect([status, (body as { attr: string }).attr]).toEqual([400, 'filters.groups.0.properties.0.value']);
  });
});
