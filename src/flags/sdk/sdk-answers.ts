import { remoteConfig } from '../../events/sdk/remote-config.js';
import { type Decided } from '../evaluation/flag-decisions.js';
import { type ReasonCode } from '../evaluation/decide.js';
import { type ReadyFlag } from '../evaluation/project-flags.js';

/** A mistyped id, or an e-mail address in its place, reads otherwise like a person for whom the flag is off. */
type Reason = ReasonCode | 'no_person';

const reasonOf = ({ code, isStranger }: Decided): Reason =>
  isStranger && code === 'no_condition_match' ? 'no_person' : code;

const descriptions: Readonly<Record<Reason, (condition: number) => string>> = {
  condition_match: (condition) => `Condition ${condition + 1} holds`,
  out_of_rollout_bound: (condition) => `Outside the percentage of condition ${condition + 1}`,
  no_condition_match: () => 'No condition holds',
  no_person: () => 'No condition holds: no person has this distinct id',
  no_group_type: () => 'The request names no group of the type that the flag is about',
  holdout_condition_value: () => 'Held out',
  disabled: () => 'The flag is not active',
};

export const reasonText = (decided: Decided): string => descriptions[reasonOf(decided)](decided.condition ?? 0);

/** The parts of an answer that a decision adds, as JSON. */
interface Texts {
  /** The end, from the cohorts on, is missing: versions of members change without the flag. */
  readonly detail: string;
  readonly value: string;
  readonly payload: string | null;
}

/**
 * By the reason, the variant and the condition of a decision. A flag has few of them, and answers for all persons repeat them: to
 * write each answer anew takes longer than to decide.
 */
const written = new WeakMap<ReadyFlag, Map<Reason, Map<string | null, Texts[]>>>();

const textsOf = (decided: Decided): Texts => {
  const { flag, variant, condition } = decided;
  const reason = reasonOf(decided);
  const ofVariant = written.get(flag)?.get(reason)?.get(variant) ?? remember(flag, reason, variant);
  return (ofVariant[condition ?? 0] ??= write(decided));
};

const remember = (flag: ReadyFlag, reason: Reason, variant: string | null): Texts[] => {
  const ofFlag = written.get(flag) ?? new Map<Reason, Map<string | null, Texts[]>>();
  written.set(flag, ofFlag);
  const ofReason = ofFlag.get(reason) ?? new Map<string | null, Texts[]>();
  ofFlag.set(reason, ofReason);
  const ofVariant: Texts[] = [];
  ofReason.set(variant, ofVariant);
  return ofVariant;
};

const write = (decided: Decided): Texts => {
  const { flag, enabled, variant, code, condition, payload } = decided;
  const reason = { code, condition_index: condition, description: reasonText(decided) };
  const metadata = { id: flag.id, version: flag.version, description: flag.name, payload, has_experiment: false };
  const key = JSON.stringify(flag.key);
  return {
    detail: `${key}:${JSON.stringify({ key: flag.key, enabled, variant, reason, metadata }).slice(0, -2)}`,
    value: `${key}:${JSON.stringify(variant ?? enabled)}`,
    payload: payload === null ? null : `${key}:${JSON.stringify(payload)}`,
  };
};

const detailOf = (decided: Decided): string => {
  const { cohorts } = decided;
  return `${textsOf(decided).detail}${cohorts.length > 0 ? `,"cohorts":${JSON.stringify(cohorts)}` : ''}}}`;
};

const config = JSON.stringify(remoteConfig()).slice(1);

interface AnswerOptions {
  readonly requestId: string;
  readonly now: Date;
  /** The version of the protocol: the first answers with a list of the flags that are on. */
  readonly version: number;
}

/** The answer as JSON, in the shape of every version: a newer client reads `flags`, and an older one `featureFlags`. */
export const sdkAnswer = (all: readonly Decided[], { requestId, now, version }: AnswerOptions): string => {
  const decided = all.filter(({ flag }) => flag.active);
  const on = decided.filter(({ enabled }) => enabled);
  const values =
    version === 1
      ? JSON.stringify(on.map(({ flag }) => flag.key))
      : `{${(version === 2 ? on : decided).map((each) => textsOf(each).value).join()}}`;
  const payloads = on.flatMap((each) => textsOf(each).payload ?? []);
  return `{"flags":{${decided.map(detailOf).join()}},"featureFlags":${values},"featureFlagPayloads":{${payloads.join()}},"errorsWhileComputingFlags":false,"requestId":${JSON.stringify(requestId)},"evaluatedAt":${now.getTime()},${config}`;
};
