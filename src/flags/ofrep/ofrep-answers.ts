import { type Fields, isFields } from '../../platform/fields/values.js';
import { type FlagRequest, type Decided } from '../evaluation/flag-decisions.js';
import { reasonText } from '../sdk/sdk-answers.js';
import { type OfrepFlagDto, type OfrepReason } from './ofrep.dto.js';

/**
 * Reads the context of an evaluation; null if it has no targeting key, which is the distinct id. `groups` and `group_properties`
 * are as SDKs send them; everything else is a property of the person.
 */
export const requestIn = (body: Fields, keys: readonly string[] | null): FlagRequest | null => {
  const {
    targetingKey,
    groups,
    group_properties: groupProperties,
    ...personProperties
  } = isFields(body.context) ? body.context : {};
  const isKey = (typeof targetingKey === 'string' && targetingKey !== '') || typeof targetingKey === 'number';
  return isKey ? { distinctId: String(targetingKey), groups, groupProperties, personProperties, keys } : null;
};

export const ofrepFlag = (decided: Decided): OfrepFlagDto => {
  const { flag, enabled, variant, payload, cohorts } = decided;
  return {
    key: flag.key,
    value: variant ?? enabled,
    reason: reasonOf(decided),
    variant: variant ?? (enabled ? 'on' : 'off'),
    metadata: {
      version: flag.version,
      reason: reasonText(decided),
      ...(payload !== null && { payload }),
      ...Object.fromEntries(
        cohorts.flatMap(({ id, version }) => (version === null ? [] : [[`cohort_${id}`, version]])),
      ),
    },
  };
};

const reasonOf = ({ code, flag: { rules }, condition }: Decided): OfrepReason => {
  if (code === 'disabled') return 'DISABLED';
  if (code !== 'condition_match') return code === 'holdout_condition_value' ? 'SPLIT' : 'DEFAULT';
  const { percentage = 100, variant = null, filter } = rules.conditions[condition ?? 0] ?? {};
  if (percentage < 100 || (variant === null && rules.variants.length > 1)) return 'SPLIT';
  return filter?.kind === 'group' && filter.parts.length === 0 ? 'STATIC' : 'TARGETING_MATCH';
};
