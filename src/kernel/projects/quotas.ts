import { unknownName } from '../../platform/errors/nearest-name.js';
import { type Bounds, isFields } from '../../platform/fields/values.js';
import { type Schema } from '../../platform/fields/schema.js';
import { invalidInput } from '../../platform/errors/problem.js';

export const quotaNames = ['events_per_day', 'cohorts', 'members'] as const;

export type QuotaName = (typeof quotaNames)[number];

/** How much a project may have; null: any number. */
export type Quotas = Readonly<Record<QuotaName, number | null>>;

export const noQuotas: Quotas = { events_per_day: null, cohorts: null, members: null };

const bounds: Bounds = { min: 0, max: 1_000_000_000 };

const quotaSchema: Schema = {
  anyOf: [{ type: 'integer', minimum: bounds.min, maximum: bounds.max }, { type: 'null' }],
};

/** The names in `required` must be present; an answer has all of them. */
export const quotasSchema = (required: readonly QuotaName[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(quotaNames.map((name) => [name, quotaSchema])),
  additionalProperties: false,
  ...(required.length > 0 ? { required: [...required] } : {}),
});

/** Reads `{"events_per_day": 100000, "members": null}`. Quotas that are not named keep their values. */
export const readQuotas = (value: unknown, attr: string): Partial<Quotas> => {
  if (!isFields(value)) throw invalidInput(`${attr} must be an object with ${quotaNames.join(', ')}`, attr);
  for (const [name, quota] of Object.entries(value)) {
    if (!quotaNames.some((known) => known === name)) throw unknownName(name, quotaNames, [attr]);
    if (!isQuota(quota))
      throw invalidInput(
        `${attr}.${name} must be an integer from ${bounds.min} to ${bounds.max}, or null for no quota`,
        `${attr}.${name}`,
      );
  }
  return value;
};

const isQuota = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max);

/** From this share on, a quota counts as nearly used up. */
export const warnedPercent = 80;

export const isNearlyUsed = (used: number, limit: number): boolean => used * 100 >= limit * warnedPercent;

/** The shares of a quota of which notices tell that are reached. */
export const reachedPercents = (used: number, limit: number): number[] =>
  [warnedPercent, 100].filter((percent) => used * 100 >= limit * percent);
