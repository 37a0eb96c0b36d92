import { invalidInput } from '../../platform/errors/problem.js';
import { type GroupName } from '../../kernel/projection/named-groups.js';
import { type NormalisedEvent, normalise } from '../../kernel/event-log/normalise/normalise.js';
import { maxDistinctIdCharacters } from '../../kernel/event-log/normalise/limits.js';

/** The event by which a request changes the properties of a group; it has the distinct id that SDKs of servers give it. */
export const groupEvent = (
  { type, key }: GroupName,
  operators: { readonly set: object; readonly unset: readonly string[] },
  { now, attr }: { readonly now: Date; readonly attr: string },
): NormalisedEvent => {
  const properties = {
    $group_type: type,
    $group_key: key,
    $group_set: operators.set,
    ...(operators.unset.length > 0 && { $group_unset: operators.unset }),
  };
  const distinctId = `$${type}_${key}`.slice(0, maxDistinctIdCharacters);
  const raw = { event: '$groupidentify', distinct_id: distinctId, timestamp: now.toISOString(), properties };
  const normalised = normalise(raw, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) throw invalidInput(normalised.rejection.detail, attr);
  return normalised.event;
};

/** Properties of a body: a null removes the property. */
export const operatorsOf = (sent: Readonly<Record<string, unknown>>) => {
  const entries = Object.entries(sent);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    unset: entries.filter(([, value]) => value === null).map(([key]) => key),
  };
};
