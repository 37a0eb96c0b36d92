import { remoteConfig } from '../../events/sdk/remote-config.js';
import { type Decided } from '../evaluation/flag-decisions.js';
import { type ReasonCode } from '../evaluation/decide.js';

const descriptions: Readonly<Record<ReasonCode, (condition: number) => string>> = {
  condition_match: (condition) => `Condition ${condition + 1} holds`,
  out_of_rollout_bound: (condition) => `Outside the percentage of condition ${condition + 1}`,
  no_condition_match: () => 'No condition holds',
  no_group_type: () => 'The request names no group of the type that the flag is about',
  holdout_condition_value: () => 'Held out',
  disabled: () => 'The flag is not active',
};

export const reasonText = ({ code, condition }: Decided): string => descriptions[code](condition ?? 0);

const valueOf = ({ enabled, variant }: Decided): boolean | string => variant ?? enabled;

const detailOf = (decided: Decided) => {
  const { flag, enabled, variant, code, condition, payload, cohorts } = decided;
  return {
    key: flag.key,
    enabled,
    variant,
    reason: { code, condition_index: condition, description: reasonText(decided) },
    metadata: {
      id: flag.id,
      version: flag.version,
      description: flag.name,
      payload,
      has_experiment: false,
      ...(cohorts.length > 0 && { cohorts }),
    },
  };
};

interface AnswerOptions {
  readonly requestId: string;
  readonly now: Date;
  /** The version of the protocol: the first answers with a list of the flags that are on. */
  readonly version: number;
}

/** The answer in the shape of every version: a newer client reads `flags`, and an older one `featureFlags`. */
export const sdkAnswer = (all: readonly Decided[], { requestId, now, version }: AnswerOptions) => {
  const decided = all.filter(({ flag }) => flag.active);
  const on = decided.filter(({ enabled }) => enabled);
  return {
    flags: Object.fromEntries(decided.map((each) => [each.flag.key, detailOf(each)])),
    featureFlags:
      version === 1
        ? on.map(({ flag }) => flag.key)
        : Object.fromEntries((version === 2 ? on : decided).map((each) => [each.flag.key, valueOf(each)])),
    featureFlagPayloads: Object.fromEntries(
      on.flatMap(({ flag, payload }) => (payload === null ? [] : [[flag.key, payload]])),
    ),
    errorsWhileComputingFlags: false,
    requestId,
    evaluatedAt: now.getTime(),
    ...remoteConfig(),
  };
};
