import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getFeatureFlagHash, getFeatureFlagVariant } from '@posthog/core';
import { type MembershipsDto } from '../../src/cohorts/membership/membership.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { naivelyHolds, type NaiveLeaf } from '../filters/naive.js';
import { CohortsOf, all, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { runsOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { until } from '../support/until.js';

/** Each round makes some flags, and asks for all of them for some persons. */
const [flagsOfRound, personsOfRound] = [10, 5];
/** In full 10,000 flags for a person each. */
const rounds = runsOf(200, 20);

let service: ServiceHandle;
let project: ProjectDto;
let of: CohortsOf;
let cohorts: readonly number[];

const persons = [
  ['ada', { plan: 'pro', age: 30, joined: '2026-01-02', tags: ['a'] }],
  ['bob', { plan: 'Free', age: '17', joined: '2026-03-01T10:00:00Z', ok: true }],
  ['eve', { age: 64.5, plan: 'pro', note: "it's 100%" }],
  ['zoë', {}],
  ['18', { plan: '', ok: 'false', age: 0 }],
] as const;

beforeAll(async () => {
  service = await sharedService();
  project = await service.newProject();
  of = new CohortsOf(service, project.id);
  await importLines(
    service,
    project.id,
    persons.map(([id, properties]) => personLine(id, properties)),
  );
  const pros = await of.create({ filters: all(where('plan', 'pro')) });
  const listed = await of.create({ is_static: true, distinct_ids: ['bob', 'zoë'] });
  const nested = await of.create({
    filters: all({ type: 'cohort', key: 'id', value: pros.id }, where('age', 40, { operator: 'lt' })),
  });
  cohorts = [pros.id, listed.id, nested.id];
});
afterAll(() => service.stop());

interface Condition {
  readonly properties: readonly NaiveLeaf[];
  readonly rollout_percentage: number | null;
  readonly variant: string | null;
}

interface Flag {
  readonly key: string;
  readonly active: boolean;
  readonly filters: {
    readonly groups: readonly Condition[];
    readonly multivariate: { readonly variants: readonly { key: string; rollout_percentage: number }[] } | null;
    readonly early_exit: boolean;
  };
}

const leaf: fc.Arbitrary<NaiveLeaf> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'lte', 'regex', 'not_regex'),
      fc.constantFrom('plan', 'age', 'joined', 'ok', 'note', 'tags'),
      fc.constantFrom<string | number>('pro', 'free', 'Free', '17', 30, 'true', 'a', '2026-01-02', '%', 'o$'),
    )
    .map(([operator, key, value]) => ({ type: 'person', key, operator, value })),
  fc
    .tuple(fc.constantFrom('is_set', 'is_not_set'), fc.constantFrom('plan', 'age', 'ok'))
    .map(([operator, key]) => ({ type: 'person', key, operator })),
  fc
    .tuple(
      fc.constantFrom('is_date_before', 'is_date_after', 'is_date_exact'),
      fc.constantFrom('2026-01-02', '2026-02-01'),
    )
    .map(([operator, value]) => ({ type: 'person', key: 'joined', operator, value })),
  fc
    .tuple(fc.constantFrom('in', 'not_in'), fc.constantFrom(0, 1, 2))
    .map(([operator, at]) => ({ type: 'cohort', key: 'id', operator, value: at })),
);

const variants = [
  { key: 'a', rollout_percentage: 33.3 },
  { key: 'b', rollout_percentage: 66.7 },
];

const flag = fc
  .tuple(
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.array(
      fc.tuple(
        fc.array(leaf, { maxLength: 3 }),
        fc.constantFrom(null, 0, 12.5, 50, 100),
        fc.constantFrom(null, null, 'a', 'b'),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([isActive, hasVariants, earlyExit, conditions]) => ({
    active: isActive || hasVariants,
    filters: {
      groups: conditions.map(([properties, percentage, variant]) => ({
        ...{ properties, rollout_percentage: percentage, variant: hasVariants ? variant : null },
      })),
      multivariate: hasVariants ? { variants } : null,
      early_exit: earlyExit,
    },
  }));

/** The flag with the ids of cohorts. */
const withIds = ({ filters, ...rest }: Omit<Flag, 'key'>, key: string): Flag => ({
  ...{ ...rest, key },
  filters: {
    ...filters,
    groups: filters.groups.map((condition) => ({
      ...condition,
      properties: condition.properties.map((one) =>
        one.type === 'cohort' ? { ...one, value: cohorts[Number(one.value)] ?? 0 } : one,
      ),
    })),
  },
});

interface Subject {
  readonly id: string;
  readonly properties: object;
  readonly cohorts: ReadonlySet<number>;
}

/** What the flag is for the person: undefined if it is not active. */
const naively = async ({ key, active, filters }: Flag, { id, properties, cohorts: in_ }: Subject, now: Date) => {
  if (!active) return undefined;
  const subject = {
    event: {},
    person: properties as Record<string, unknown>,
    metadata: { timestamp: now, distinct_id: id, event: '' },
    cohorts: in_,
  };
  for (const { properties: leaves, rollout_percentage: percentage, variant } of filters.groups) {
    if (!naivelyHolds({ type: 'AND', values: [...leaves] }, subject, now)) continue;
    if ((await getFeatureFlagHash(key, id)) <= (percentage ?? 100) / 100)
      return variant ?? (await getFeatureFlagVariant(key, id, filters.multivariate?.variants ?? [])) ?? true;
    if (filters.early_exit) return false;
  }
  return false;
};

const membershipsOf = async (ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<number>>> => {
  const { body } = await of.call('POST', 'cohorts/membership', { body: { distinct_ids: ids, cohorts } });
  return new Map((body as MembershipsDto).results.map((one) => [String(one.given), new Set(one.cohorts)]));
};

const ask = async (id: string): Promise<Record<string, unknown>> => {
  const body = JSON.stringify({ token: project.api_token, distinct_id: id });
  const answer = await fetch(`${service.url}/flags?v=2`, { method: 'POST', body });
  return ((await answer.json()) as { featureFlags: Record<string, unknown> }).featureFlags;
};

describe('random flags', () => {
  it(`are for each person what a naive reading of them and the membership check say (${rounds * flagsOfRound * personsOfRound})`, async () => {
    const ids = [...persons.map(([id]) => id), 'stranger'];
    const known = new Map<string, object>(persons);
    let round = 0;
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(flag, { minLength: flagsOfRound, maxLength: flagsOfRound }),
        fc.subarray(ids, { minLength: personsOfRound, maxLength: personsOfRound }),
        async (made, requested) => {
          round += 1;
          const flags = made.map((one, at) => withIds(one, `k${round}-${at}`));
          const created: number[] = [];
          for (const body of [...flags, { key: `last${round}` }]) {
            const { status, body: answer } = await of.call('POST', 'feature_flags', { body });
            expect([status, body]).toEqual([201, body]);
            created.push((answer as { id: number }).id);
          }
          await until(async () => `last${round}` in (await ask('ada')));
          const memberships = await membershipsOf(requested);
          const now = new Date();
          for (const id of requested) {
            const answer = await ask(id);
            const subject = { id, properties: known.get(id) ?? {}, cohorts: memberships.get(id) ?? new Set<number>() };
            for (const one of flags) {
              seen += 1;
              expect([one, id, answer[one.key]]).toEqual([one, id, await naively(one, subject, now)]);
            }
          }
          for (const id of created) await of.call('DELETE', `feature_flags/${id}`);
        },
      ),
      { numRuns: rounds, endOnFailure: true },
    );
    expect(seen).toBe(rounds * flagsOfRound * personsOfRound);
  }, 3_600_000);
});
