import { type MatchedActor } from '../../filters/matching/match-filter.js';
import { type Condition } from '../definition/rules.js';
import { keyWithoutVariants } from '../definition/read-rules.js';
import { isHeldOut, isWithin, variantFor } from './bucketing.js';
import { type ReadyFlag } from './project-flags.js';

export type ReasonCode =
  | 'condition_match'
  | 'out_of_rollout_bound'
  | 'no_condition_match'
  | 'no_group_type'
  | 'holdout_condition_value'
  | 'disabled';

/** The value of a flag for one person with its groups. */
export interface FlagDecision {
  readonly flag: ReadyFlag;
  readonly enabled: boolean;
  readonly variant: string | null;
  readonly code: ReasonCode;
  /** The condition that decided; null if none did. */
  readonly condition: number | null;
  /** JSON as text. */
  readonly payload: string | null;
}

/** A person or a group, and the id by which percentages are decided. */
export interface Bucketed {
  readonly id: string;
  readonly actor: MatchedActor;
}

/** Whom a flag is decided for: the person, and at most one group of each type, by its index. */
export interface Everyone {
  readonly person: Bucketed;
  readonly groups: ReadonlyMap<number, Bucketed>;
}

export const decideFlag = (flag: ReadyFlag, everyone: Everyone, now: Date): FlagDecision => {
  const off = (code: ReasonCode, condition: number | null = null): FlagDecision => {
    return { flag, enabled: false, variant: null, code, condition, payload: null };
  };
  const on = (variant: string | null, code: ReasonCode, condition: number | null = null): FlagDecision => {
    return { flag, enabled: true, variant, code, condition, payload: payloadOf(flag, variant) };
  };
  if (!flag.active) return off('disabled');
  const { conditions, variants, earlyExit, holdout } = flag.rules;
  const main = subjectOf(flag.rules, everyone);
  if (main === undefined) return off('no_group_type');
  if (holdout && isHeldOut(main.id, holdout.exclusion_percentage))
    return on(`holdout-${holdout.id}`, 'holdout_condition_value');
  let missesGroup = false;
  let leftOutBy: number | null = null;
  for (const [at, condition] of conditions.entries()) {
    const subject = subjectOf(condition, everyone);
    missesGroup ||= subject === undefined;
    if (subject === undefined || !condition.match(subject.actor, now)) continue;
    if (isWithin(flag.key, subject.id, condition.percentage))
      return on(condition.variant ?? variantFor(flag.key, subject.id, variants), 'condition_match', at);
    leftOutBy ??= at;
    if (earlyExit) break;
  }
  if (leftOutBy !== null) return off('out_of_rollout_bound', leftOutBy);
  return off(missesGroup ? 'no_group_type' : 'no_condition_match');
};

const payloadOf = ({ rules: { payloads } }: ReadyFlag, variant: string | null): string | null => {
  const key = variant ?? keyWithoutVariants;
  return Object.hasOwn(payloads, key) ? (payloads[key] ?? null) : null;
};

const subjectOf = ({ groupType }: Pick<Condition, 'groupType'>, { person, groups }: Everyone): Bucketed | undefined =>
  groupType === null ? person : groups.get(groupType);
