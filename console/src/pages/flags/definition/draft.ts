import { completeFilter, isGroup, type FilterGroup, type FilterLeaf } from '../../../filters/filter';
import { type Flag, type Schemas } from '../../../api/types';

type Rules = Schemas['FlagRules'];
type Condition = Schemas['FlagCondition'];

/** A percentage while it is typed: empty for a moment. */
export type Share = number | '';

export interface ConditionDraft {
  /** Names the card while the draft is changed. */
  readonly id: number;
  readonly filter: FilterGroup;
  readonly share: Share;
  /** The id of the variant that all of them get; null: the percentages of the variants decide. */
  readonly variant: number | null;
  readonly description: string;
  /** Present if the condition is about others than the flag: the index of the type of accounts, or null for persons. */
  readonly own?: number | null;
}

export interface VariantDraft {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly share: Share;
  /** JSON as text; empty: none. */
  readonly payload: string;
}

/** A flag while it is written. */
export interface FlagDraft {
  readonly key: string;
  readonly name: string;
  /** The index of the type of accounts that the flag is about; null: persons. */
  readonly groupType: number | null;
  readonly conditions: readonly ConditionDraft[];
  /** Empty for a flag that is on or off. */
  readonly variants: readonly VariantDraft[];
  /** Of a flag without variants. */
  readonly payload: string;
  readonly earlyExit: boolean;
  readonly holdout: { readonly id: number; readonly share: Share } | null;
}

let lastId = 0;
const newId = (): number => ++lastId;

const everyone: FilterGroup = { type: 'AND', values: [] };

export const newCondition = (): ConditionDraft => ({
  id: newId(),
  filter: everyone,
  share: 100,
  variant: null,
  description: '',
});

export const copyOf = (condition: ConditionDraft): ConditionDraft => ({ ...condition, id: newId() });

export const newVariant = (key: string, share: Share): VariantDraft => ({
  id: newId(),
  key,
  name: '',
  share,
  payload: '',
});

export const newDraft = (): FlagDraft => ({
  key: '',
  name: '',
  groupType: null,
  conditions: [newCondition()],
  variants: [],
  payload: '',
  earlyExit: false,
  holdout: null,
});

/** The builder says "not in" by a negation. */
const readLeaf = (leaf: FilterLeaf): FilterLeaf => {
  if (leaf.type !== 'cohort') return leaf;
  const { operator, negation, ...rest } = leaf;
  return { ...rest, negation: (operator === 'not_in') !== (negation ?? false) };
};

const writtenLeaf = (leaf: FilterLeaf): FilterLeaf => {
  if (leaf.type !== 'cohort') return leaf;
  const { negation, ...rest } = leaf;
  return { ...rest, operator: negation === true ? 'not_in' : 'in' };
};

const payloadIn = (payloads: Rules['payloads'], key: string): string => {
  const payload = payloads?.[key];
  return typeof payload === 'string' ? payload : '';
};

export const draftOf = ({ key, name, filters }: Flag): FlagDraft => {
  const { groups = [], multivariate, payloads, aggregation_group_type_index: groupType, early_exit, holdout } = filters;
  const variants = (multivariate?.variants ?? []).map((variant) => ({
    id: newId(),
    key: variant.key,
    name: variant.name ?? '',
    share: variant.rollout_percentage,
    payload: payloadIn(payloads, variant.key),
  }));
  return {
    key,
    name,
    groupType: groupType ?? null,
    conditions: groups.map((condition) => ({
      id: newId(),
      filter: { type: 'AND', values: ((condition.properties ?? []) as FilterLeaf[]).map(readLeaf) },
      share: condition.rollout_percentage ?? 100,
      variant: variants.find((variant) => variant.key === condition.variant)?.id ?? null,
      description: condition.description ?? '',
      ...(condition.aggregation_group_type_index !== undefined && { own: condition.aggregation_group_type_index }),
    })),
    variants,
    payload: payloadIn(payloads, 'true'),
    earlyExit: early_exit ?? false,
    holdout: holdout ? { id: holdout.id, share: holdout.exclusion_percentage } : null,
  };
};

const percentOf = (share: Share): number => (share === '' ? 0 : share);

const leavesIn = ({ values }: FilterGroup): FilterLeaf[] => values.flatMap((node) => (isGroup(node) ? [] : [node]));

/** The field `filters` of a flag. A filter that is still being written is left out. */
export const rulesOf = (draft: FlagDraft): Rules => {
  const { conditions, variants, groupType, earlyExit, holdout } = draft;
  const payloads = (variants.length === 0 ? [{ key: 'true', payload: draft.payload }] : variants).flatMap(
    ({ key, payload }) => (payload.trim() === '' ? [] : [[key, payload] as const]),
  );
  return {
    groups: conditions.map(({ filter, share, variant, description, own }): Condition => {
      const chosen = variants.find(({ id }) => id === variant);
      return {
        properties: leavesIn(completeFilter(filter)).map(writtenLeaf) as NonNullable<Condition['properties']>,
        rollout_percentage: percentOf(share),
        ...(chosen && { variant: chosen.key }),
        ...(description !== '' && { description }),
        ...(own !== undefined && { aggregation_group_type_index: own as number }),
      };
    }),
    ...(variants.length > 0 && {
      multivariate: {
        variants: variants.map(({ key, name, share }) => ({ key, name, rollout_percentage: percentOf(share) })),
      },
    }),
    payloads: Object.fromEntries(payloads),
    ...(groupType !== null && { aggregation_group_type_index: groupType }),
    early_exit: earlyExit,
    ...(holdout && { holdout: { id: holdout.id, exclusion_percentage: percentOf(holdout.share) } }),
  };
};

/** How many filters are still being written. */
export const unfinishedIn = ({ conditions }: FlagDraft): number =>
  conditions.reduce((sum, { filter }) => sum + leavesIn(filter).length - leavesIn(completeFilter(filter)).length, 0);

/** The sum of the percentages of the variants, which must be 100. */
export const sumOf = ({ variants }: Pick<FlagDraft, 'variants'>): number =>
  Number(variants.reduce((sum, { share }) => sum + percentOf(share), 0).toFixed(6));

/** Shares that are as equal as two decimals allow; the last one has the rest. */
export const equalShares = (count: number): readonly number[] => {
  const share = Math.floor(10_000 / count) / 100;
  return Array.from({ length: count }, (_, at) =>
    at === count - 1 ? Number((100 - share * (count - 1)).toFixed(2)) : share,
  );
};

/** Says why a payload is no JSON; null if it is. */
export const jsonFault = (text: string): string | null => {
  if (text.trim() === '') return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
};

/** What must be right before the flag can be counted; null if all is. */
export const faultOf = (draft: FlagDraft): string | null => {
  const { variants, payload } = draft;
  if (variants.some(({ key }) => key.trim() === '')) return 'Each variant needs a key.';
  if (new Set(variants.map(({ key }) => key)).size < variants.length) return 'Two variants have the same key.';
  if (variants.length > 0 && sumOf(draft) !== 100) return `The variants add up to ${sumOf(draft)}%, not to 100%.`;
  const payloads = variants.length === 0 ? [payload] : variants.map((variant) => variant.payload);
  return payloads.some((text) => jsonFault(text) !== null) ? 'A payload is not JSON.' : null;
};
