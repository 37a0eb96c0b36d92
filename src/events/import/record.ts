import { exceededLimit } from '../../platform/values/json.js';
import { type ImportedPerson } from '../../kernel/identity/import-persons.js';
import { maxEventDepth, maxEventNodes } from '../../kernel/event-log/normalise/limits.js';
import { isCookielessId, distinctIdText } from '../../kernel/event-log/normalise/event-ids.js';
import { cleanObject, isDeeperThan, isRecord } from '../../kernel/event-log/normalise/json.js';
import { type NormalisedEvent, normalise } from '../../kernel/event-log/normalise/normalise.js';
import { namesOnly } from '../../kernel/event-log/normalise/group-changes.js';
import { noChanges } from '../../kernel/event-log/normalise/person-changes.js';
import { parseTimestamp } from '../../kernel/event-log/normalise/timestamp.js';

export interface ImportOptions {
  /** False if event lines must not change the properties of persons. */
  readonly applyPersonProperties: boolean;
  /** False if events of unknown distinct ids stay without a person. */
  readonly createPersons: boolean;
}

export interface ReadingOptions extends ImportOptions {
  /** Returns the uuid of an event that has none. The same line of a repeated import must get the same uuid. */
  readonly uuidOf?: ((line: Buffer, number: number) => string) | undefined;
}

export type ImportRecord =
  | { readonly kind: 'person'; readonly person: ImportedPerson }
  | { readonly kind: 'event'; readonly event: NormalisedEvent }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string };

const refused = (code: string, detail: string): ImportRecord => ({ kind: 'refused', code, detail });

/** A line may nest one level deeper than properties may, and have a few more values, because it contains them. */
const lineLimits = { depth: maxEventDepth + 1, nodes: maxEventNodes + 100 };

export const recordOf = (line: Buffer, options: ReadingOptions, now: Date, number = 0): ImportRecord => {
  const exceeded = exceededLimit(line, lineLimits);
  if (exceeded === 'depth') return refused('invalid_input', `a line may nest at most ${lineLimits.depth} levels deep`);
  if (exceeded === 'nodes') return refused('too_large', `a line may have at most ${lineLimits.nodes} values`);
  const parsed = parse(line.toString('utf8'));
  if (!isRecord(parsed)) return refused('parse_error', 'the line is not a JSON object such as {"type": "event", …}');
  if (parsed.type === 'person') return personOf(parsed, now);
  if (parsed.type === 'event') {
    parsed.uuid ??= options.uuidOf?.(line, number);
    return eventOf(parsed, options, now);
  }
  return refused('invalid_input', 'type must be "person" or "event"');
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

const personOf = (line: Record<string, unknown>, now: Date): ImportRecord => {
  const { distinct_ids: ids, properties = {}, created_at: since, is_identified: identified = false } = line;
  if (!Array.isArray(ids) || ids.length === 0)
    return refused('required', 'distinct_ids must be a list of at least one id');
  const distinctIds: string[] = [];
  for (const [at, id] of ids.entries()) {
    const checked = distinctIdText(id, `distinct_ids.${at}`);
    if (!checked.ok) return refused(checked.code, checked.detail);
    if (checked.value === null) return refused('invalid_input', `distinct_ids.${at} must not be empty`);
    if (isCookielessId(checked.value)) {
      return refused('invalid_input', `distinct_ids.${at} is that of visitors in cookieless mode: leave it out`);
    }
    distinctIds.push(checked.value);
  }
  if (!isRecord(properties) || isDeeperThan(properties, maxEventDepth)) {
    return refused('invalid_input', `properties must be an object of at most ${maxEventDepth} levels`);
  }
  if (typeof identified !== 'boolean') return refused('invalid_input', 'is_identified must be true or false');
  const createdAt = since === undefined || since === null ? now : parseTimestamp(since);
  if (createdAt === null) return refused('invalid_input', 'created_at must be an ISO 8601 date');
  return {
    kind: 'person',
    person: { distinctIds, properties: cleanObject(properties), createdAt, isIdentified: identified },
  };
};

const eventOf = (line: Record<string, unknown>, options: ImportOptions, now: Date): ImportRecord => {
  // The time is not corrected, because an import has no clock of a client that may be wrong.
  const timestamp = line.timestamp === undefined || line.timestamp === null ? now : parseTimestamp(line.timestamp);
  if (timestamp === null) return refused('invalid_input', 'timestamp must be an ISO 8601 date from 1900 to 2299');
  const {
    uuid,
    event,
    distinct_id,
    properties,
    $set,
    $set_once,
    $unset,
    changes_persons: changesPersons = true,
  } = line;
  if (typeof changesPersons !== 'boolean') return refused('invalid_input', 'changes_persons must be true or false');
  const raw = { uuid, event, distinct_id, properties, $set, $set_once, $unset };
  const normalised = normalise(raw, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) return refused(normalised.rejection.code, normalised.rejection.detail);
  const { event: result } = normalised;
  result.timestamp = timestamp;
  // Exported persons already contain the effects of exported events, and of all later merges and splits.
  const process = result.person.process && changesPersons && options.createPersons;
  // The event is changed in place, because copying every event took a quarter of the time of reading its line.
  if (!process || !options.applyPersonProperties) result.person = noChanges(process);
  // Exported groups have these changes, too. The group itself is made, so that lists have whatever events name.
  if (!changesPersons && result.groupChange) result.groupChange = namesOnly(result.groupChange.group);
  return { kind: 'event', event: result };
};
