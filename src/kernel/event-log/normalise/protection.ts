import { put } from '../../../platform/values/json.js';
import { type EventWarnings, noWarnings } from './checked.js';
import { type JsonObject, cleanText, isRecord } from './json.js';

/** The changes that an event may not make, because its sender has only the public token of the project. */
export interface Protection {
  readonly personProperties: ReadonlySet<string>;
  readonly groupProperties: ReadonlySet<string>;
  /** True if the sender may not merge identified persons. */
  readonly merges: boolean;
}

type Sent = Readonly<Record<string, unknown>>;

interface Permitted {
  readonly raw: Sent;
  readonly properties: JsonObject;
  readonly warnings: EventWarnings;
}

/**
 * Removes what the sender may not do before anything of it is read. So the event has the effect of one that came without, and
 * neither a replay of the log nor an import of exported events does what was refused.
 */
export const withoutProtected = (
  event: string,
  raw: Sent,
  properties: JsonObject,
  { personProperties, groupProperties, merges }: Protection,
): Permitted => {
  const refused = new Set<string>();
  const ofPersons = ['$set', '$set_once', '$unset'];
  const ofGroups = ['$group_set', '$group_set_once', '$group_unset'];
  const top = without(raw, ofPersons, personProperties, refused);
  let rest = without(properties, ofPersons, personProperties, refused);
  rest = without(rest, ofGroups, groupProperties, refused);
  const isMergeRefused = merges && event === '$merge_dangerously' && (rest.alias ?? null) !== null;
  if (refused.size === 0 && !isMergeRefused) return { raw, properties, warnings: noWarnings };
  if (isMergeRefused)
    rest = picked(
      rest,
      Object.keys(rest).filter((key) => key !== 'alias'),
    );
  return {
    raw: top,
    properties: rest as JsonObject,
    warnings: [
      ...(refused.size > 0 ? [propertiesRefused([...refused])] : []),
      ...(isMergeRefused ? [mergeRefused] : []),
    ],
  };
};

/** Removes the names from operators, and adds the removed ones to `refused`. */
const without = (sent: Sent, operators: readonly string[], names: ReadonlySet<string>, refused: Set<string>): Sent => {
  if (names.size === 0) return sent;
  let rest: Record<string, unknown> | null = null;
  for (const operator of operators) {
    const value = sent[operator];
    // An operator is an object, of which the keys count, or a list of keys. Other values have no effect.
    const keys: readonly unknown[] = isRecord(value) ? Object.keys(value) : Array.isArray(value) ? value : [];
    const kept: unknown[] = [];
    for (const key of keys) {
      const name = typeof key === 'string' ? cleanText(key) : null;
      if (name !== null && names.has(name)) refused.add(name);
      else kept.push(key);
    }
    if (kept.length === keys.length) continue;
    (rest ??= { ...sent })[operator] = isRecord(value) ? picked(value, kept as string[]) : kept;
  }
  return rest ?? sent;
};

const picked = (object: Sent, keys: readonly string[]): Sent => {
  const some: Record<string, unknown> = {};
  for (const key of keys) put(some, key, object[key]);
  return some;
};

/** A warning names at most this many properties. */
const maxNamed = 5;

const propertiesRefused = (names: readonly string[]) => {
  const named = names.slice(0, maxNamed).map((name) => JSON.stringify(name));
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return {
    type: 'cannot_change_protected_property',
    detail: `only a secret key may change ${named.join(', ')}${more} in this project: ignored`,
  } as const;
};

const mergeRefused = {
  type: 'cannot_merge_with_token',
  detail: 'only a secret key may send $merge_dangerously in this project: no persons are merged',
} as const;
