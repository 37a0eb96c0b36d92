import { type Field } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { type Schema, type Schemas, listSchema, schemaNamed } from '../../platform/fields/schema.js';
import { type Fields, isFields, requireList, requireObject } from '../../platform/fields/values.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { put } from '../../platform/values/json.js';
import { filterMatch } from '../../filters/matching/match-filter.js';
import { assertWithinLimits } from '../../filters/reading/filter-limits.js';
import { type Filter, leavesOf } from '../../filters/reading/filter.js';
import { parseFilters } from '../../filters/reading/filter-fields.js';
import { groupTypeIndex } from '../../filters/reading/leaf.js';
import { isRegex } from '../../filters/reading/filter-limits.js';
import {
  type Condition,
  type Holdout,
  type Rules,
  type StoredCondition,
  type StoredRules,
  type Variant,
  filterOf,
} from './rules.js';

export const [maxConditions, maxVariants] = [100, 50];
const [longestKey, longestText, longestPayload, longestPattern] = [400, 1_000, 50_000, 1_000];

/** A field of the reference product that would change what the flag does, and that this service does not have. */
export const notSupported = (instead: string): Field<unknown> =>
  field.any({
    schema: {
      anyOf: [
        { type: 'boolean', enum: [false] },
        { type: 'array', items: {}, maxItems: 0 },
        { type: 'object', properties: {}, maxProperties: 0 },
      ],
    },
    nullable: true,
    example: false,
    rules: [{ holds: isEmpty, says: `is not supported: ${instead}` }],
    description: `Not supported; what means that it is unused is accepted. ${instead.slice(0, 1).toUpperCase()}${instead.slice(1)}.`,
  });

const isEmpty = (value: unknown): boolean =>
  value === false || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

const percentage = <const More extends { readonly required?: true; readonly description: string }>(more: More) =>
  field.any<number>({
    schema: { type: 'number', minimum: 0, maximum: 100 },
    rules: [
      {
        holds: (value) => typeof value === 'number' && value >= 0 && value <= 100,
        says: 'must be a number from 0 to 100',
      },
    ],
    example: 100,
    ...more,
  });

const conditionFilter: Schema = {
  oneOf: ['PersonPropertyFilter', 'GroupPropertyFilter', 'CohortFilter'].map(schemaNamed),
};

const condition = field.record(
  {
    properties: field.any({
      schema: listSchema(conditionFilter),
      description:
        'Filters, all of which must hold: on the person and on cohorts (of one cohort each), or on the group. Without filters, all match.',
      example: [{ type: 'cohort', key: 'id', operator: 'in', value: 3 }],
    }),
    rollout_percentage: percentage({
      description: 'The share of those who match that the condition holds for; all by default.',
    }),
    variant: field.text({
      max: longestKey,
      description: 'The variant that they get; by default the percentages of the variants decide.',
      example: 'control',
    }),
    description: field.text({ max: longestText, description: 'A note.', example: 'Beta testers' }),
    aggregation_group_type_index: groupTypeIndex({}),
  },
  {
    description:
      '`aggregation_group_type_index` makes the condition one about groups of this type, and null one about persons; unset, it is about what the flag is about.',
    rule: 'a condition has properties, rollout_percentage, variant, description and aggregation_group_type_index',
    ignored: ['sort_key', 'users_affected'],
  },
);

const variant = field.record(
  {
    key: field.text({ required: true, min: 1, max: longestKey, withoutNul: true, example: 'control' }),
    name: field.text({ max: longestText, withoutNul: true, example: 'As before' }),
    rollout_percentage: percentage({
      required: true,
      description: 'The share of those who get a variant. The shares of all variants add up to 100.',
    }),
  },
  { rule: 'a variant has key, name and rollout_percentage' },
);

const multivariate = field.record(
  {
    variants: field.any({
      required: true,
      schema: listSchema(variant.schema, maxVariants),
      example: [
        { key: 'control', name: 'As before', rollout_percentage: 50 },
        { key: 'short', name: 'One page', rollout_percentage: 50 },
      ],
    }),
  },
  {},
);

const holdout = field.record(
  {
    id: field.jsonInteger({ required: true, min: 1, max: 2 ** 31 - 1, example: 1 }),
    exclusion_percentage: percentage({ required: true, description: 'The share that is held out.' }),
  },
  { description: 'Who is held out gets the variant `holdout-<id>`, the same persons for all flags.' },
);

const rules = field.record(
  {
    groups: field.any({
      schema: listSchema(schemaNamed('FlagCondition'), maxConditions),
      description:
        'Conditions, one of which must hold: the first that does decides. Without a condition, the flag is off for everyone.',
      example: [{ properties: [], rollout_percentage: 100 }],
    }),
    multivariate: field.any({
      schema: multivariate.schema,
      description: 'Variants, of which everyone for whom the flag is on gets one.',
      example: {
        variants: [
          { key: 'control', rollout_percentage: 50 },
          { key: 'short', rollout_percentage: 50 },
        ],
      },
    }),
    payloads: field.any({
      schema: { type: 'object', additionalProperties: {} },
      description:
        'For each variant, or for `true`, JSON as text that clients get with it. JSON that is not text is stored as text.',
      example: { true: '{"color":"green"}' },
    }),
    aggregation_group_type_index: groupTypeIndex({}),
    early_exit: field.jsonBoolean({
      description:
        'The first condition whose filters match decides, even if its percentage leaves the person or group out.',
      example: false,
    }),
    holdout: field.any({ schema: holdout.schema, example: { id: 1, exclusion_percentage: 10 } }),
    super_groups: notSupported('put the condition first in groups, with early_exit'),
    holdout_groups: notSupported('use holdout'),
    feature_enrollment: notSupported('use a condition on a static cohort of those who take part'),
  },
  { description: 'Whom the flag is on for, and what they get.' },
);

export const flagSchemas: Schemas = { FlagCondition: condition.schema, FlagRules: rules.schema };

export const rulesSchema = schemaNamed('FlagRules');

/** The rules that `filters` describe. */
export interface ReadRules {
  readonly stored: StoredRules;
  readonly rules: Rules;
}

interface ReadOptions {
  /** True if they were accepted before, so that a cohort may have been deleted since. */
  readonly stored?: boolean;
}

/** Reads the field `filters` of a flag. The caller must check what only the database knows, such as cohorts. */
export const readRules = (sent: unknown, attr: string, { stored = false }: ReadOptions = {}): ReadRules => {
  const read = rules.reader(sent ?? {}, attr);
  for (const name of ['super_groups', 'holdout_groups', 'feature_enrollment'] as const) read(name);
  const { groups } = requireObject(sent ?? {}, attr);
  const groupType = read('aggregation_group_type_index');
  const variants = variantsOf(read('multivariate'), `${attr}.multivariate`);
  const earlyExit = read('early_exit') ?? false;
  const heldOut = holdoutOf(read('holdout'), `${attr}.holdout`);
  const payloads = payloadsOf(read('payloads'), `${attr}.payloads`, variants);
  const conditions = requireList(groups, `${attr}.groups`, maxConditions).map((one, at) =>
    conditionOf(one, `${attr}.groups.${at}`, { groupType, variants, stored }),
  );
  assertWithinLimits(filterOf(conditions.map(({ condition: each }) => each)), `${attr}.groups`, 'The flag');
  return {
    stored: {
      groups: conditions.map((each) => each.stored),
      multivariate: variants.length === 0 ? null : { variants },
      payloads,
      aggregation_group_type_index: groupType,
      ...(earlyExit && { early_exit: true }),
      ...(heldOut && { holdout: heldOut }),
    },
    rules: {
      conditions: conditions.map((each) => each.condition),
      variants,
      payloads,
      earlyExit,
      holdout: heldOut,
      groupType,
    },
  };
};

const variantsOf = (sent: unknown, attr: string): readonly Variant[] => {
  if (sent === null) return [];
  const list = requireList(multivariate.reader(sent, attr)('variants'), `${attr}.variants`, maxVariants);
  const variants = list.map((one, at) => {
    const read = variant.reader(one, `${attr}.variants.${at}`);
    return { key: read('key'), name: read('name') ?? '', rollout_percentage: read('rollout_percentage') ?? 0 };
  });
  const twice = variants.findIndex(({ key }, at) => variants.findIndex((other) => other.key === key) < at);
  if (twice >= 0) {
    const path = `${attr}.variants.${twice}.key`;
    throw invalidInput(`${path} must be the key of one variant only`, path);
  }
  const sum = variants.reduce((all, each) => all + each.rollout_percentage, 0);
  if (variants.length > 0 && Math.abs(sum - 100) > 1e-6)
    throw invalidInput(
      `${attr}.variants must have percentages that add up to 100, not ${Number(sum.toFixed(6))}`,
      `${attr}.variants`,
    );
  return variants;
};

const holdoutOf = (sent: unknown, attr: string): Holdout | null => {
  if (sent === null) return null;
  const read = holdout.reader(sent, attr);
  return { id: read('id'), exclusion_percentage: read('exclusion_percentage') ?? 0 };
};

/** The key of the payload for a flag that is on and has no variants. */
export const keyWithoutVariants = 'true';

const payloadsOf = (sent: unknown, attr: string, variants: readonly Variant[]): Record<string, string> => {
  const payloads: Record<string, string> = {};
  if (sent === null) return payloads;
  const known = variants.length === 0 ? [keyWithoutVariants] : variants.map(({ key }) => key);
  for (const [key, payload] of Object.entries(requireObject(sent, attr))) {
    const path = `${attr}.${key.slice(0, 100)}`;
    if (!known.includes(key)) throw invalidInput(`${path} is no variant: payloads are for ${known.join(', ')}`, path);
    if (payload === null) continue;
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    if (!isJson(text)) throw invalidInput(`${path} must be JSON, such as "\\"green\\"" for a text`, path);
    if (text.length > longestPayload)
      throw invalidInput(`${path} must have at most ${longestPayload} characters`, path);
    put(payloads, key, text);
  }
  return payloads;
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

interface ConditionContext {
  readonly groupType: number | null;
  readonly variants: readonly Variant[];
  readonly stored: boolean;
}

const conditionOf = (
  sent: unknown,
  attr: string,
  { groupType: ofFlag, variants, stored }: ConditionContext,
): { readonly stored: StoredCondition; readonly condition: Condition } => {
  const read = condition.reader(sent, attr);
  const fields = requireObject(sent, attr);
  const own = Object.hasOwn(fields, 'aggregation_group_type_index');
  const groupType = own ? read('aggregation_group_type_index') : ofFlag;
  const properties = requireList(read('properties'), `${attr}.properties`, 500);
  const filter = filterIn(properties, `${attr}.properties`, groupType, stored);
  const [share, chosen, description] = [read('rollout_percentage'), read('variant') || null, read('description')];
  if (chosen !== null && !variants.some(({ key }) => key === chosen)) {
    const keys = variants.map(({ key }) => key).join(', ');
    const right = keys === '' ? 'the flag has no variants' : `the flag has ${keys}`;
    throw invalidInput(`${attr}.variant must be the key of a variant: ${right}`, `${attr}.variant`);
  }
  return {
    stored: {
      properties: properties as readonly object[],
      rollout_percentage: share,
      variant: chosen,
      ...(description && { description }),
      ...(own && { aggregation_group_type_index: groupType }),
    },
    condition: { filter, match: filterMatch(filter), percentage: share ?? 100, variant: chosen, groupType },
  };
};

const filterIn = (sent: readonly unknown[], attr: string, groupType: number | null, stored: boolean): Filter => {
  sent.forEach((one, at) => refuseFlag(one, `${attr}.${at}`));
  const filter = parseFilters(sent, attr, {
    defaultType: 'person',
    allowed: groupType === null ? ['person', 'cohort'] : ['group'],
    ...(stored && { stored }),
  });
  if (filter.kind === 'group') filter.parts.forEach((part, at) => assertPlain(part, `${attr}.${at}`));
  for (const leaf of leavesOf(filter)) {
    const path = leaf.at ?? attr;
    if (leaf.negated && leaf.kind === 'property')
      throw invalidInput(
        `${path}.negation is not supported in flags, because SDKs that evaluate them ignore it: use the opposite operator`,
        `${path}.negation`,
      );
    if (leaf.kind !== 'property') continue;
    if (leaf.groupType !== undefined && leaf.groupType !== groupType)
      throw invalidInput(
        `${path}.group_type_index must be ${groupType}, because the condition is about groups of this type`,
        `${path}.group_type_index`,
      );
    const long = isRegex(leaf) && leaf.values.some((value) => String(value).length > longestPattern);
    if (long)
      throw invalidInput(
        `${path}.value must be a regular expression of at most ${longestPattern} characters in a flag`,
        `${path}.value`,
      );
  }
  return filter;
};

const refuseFlag = (one: unknown, attr: string): void => {
  if (!isFields(one) || one.type !== 'flag') return;
  throw invalidInput(
    `${attr}.type: a flag cannot depend on another flag: use the conditions of that flag`,
    `${attr}.type`,
  );
};

/** SDKs that evaluate flags know lists of filters only, and cohorts one by one. */
const assertPlain = (part: Filter, attr: string): void => {
  if (part.kind !== 'group') return;
  throw invalidInput(
    `${attr} must be a filter on a property or on one cohort: a flag takes no groups of filters, but further conditions`,
    attr,
  );
};

/** A filter as SDKs read it: with the main name of its operator. */
export const plainFilter = (sent: object, filter: Filter): Fields => {
  const rest = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'negation'));
  if (filter.kind === 'cohort')
    return { ...rest, type: 'cohort', key: 'id', value: filter.cohortId, operator: filter.negated ? 'not_in' : 'in' };
  return filter.kind === 'property' ? { ...rest, type: filter.source, operator: filter.operator } : rest;
};
