import { type ClientBase } from 'pg';
import {
  type Activity,
  type ActivityAuthor,
  type ActivityChange,
  recordActivities,
} from '../../kernel/activity/record-activity.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { type KeyCreationsDto } from './key-creations.dto.js';
import { type KeyChanges } from './keys.repository.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

export type Reason =
  | 'revoked'
  | 'made by a revoked key'
  | 'beyond the key that made it'
  | 'beyond the roles of its user'
  | 'its user was removed'
  | 'its project was deleted';

export const recordCreated = (client: ClientBase, key: PersonalApiKey, author: ActivityAuthor): Promise<void> =>
  record(client, key.userId, [entry(key, 'created', [change('created', null, null, factsOf(key))])], author);

export const recordChanged = (
  client: ClientBase,
  before: PersonalApiKey,
  changes: KeyChanges,
  byKeyId: string | null,
  author: ActivityAuthor,
): Promise<void> => {
  const [old, current] = [factsOf(before), factsOf({ ...before, ...defined(changes) })];
  const changed = (Object.keys(old) as (keyof Facts)[])
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(current[field]))
    .map((field) => change('changed', field, old[field], current[field]));
  if (changed.length === 0) return Promise.resolve();
  const by = byKeyId === null ? [] : [change('changed', 'changed_by_key_id', null, byKeyId)];
  return record(
    client,
    before.userId,
    [entry({ ...before, ...defined(changes) }, 'updated', [...changed, ...by])],
    author,
  );
};

/** Records the masks of both secrets and the end of the previous one, but neither secret. */
export const recordRotated = (
  client: ClientBase,
  before: PersonalApiKey,
  after: PersonalApiKey,
  byKeyId: string | null,
  author: ActivityAuthor,
): Promise<void> => {
  const maker = (key: PersonalApiKey) => factsOf(key).created_by_key_id;
  const changes = [
    change('changed', 'mask_value', before.maskValue, after.maskValue),
    change('changed', 'previous_value_until', isoOrNull(before.previousUntil), isoOrNull(after.previousUntil)),
    ...(maker(before) === maker(after) ? [] : [change('changed', 'created_by_key_id', maker(before), maker(after))]),
    ...(byKeyId === null ? [] : [change('changed', 'changed_by_key_id', null, byKeyId)]),
  ];
  return record(client, before.userId, [entry(after, 'rotated', changes)], author);
};

export interface Revoked {
  readonly key: PersonalApiKey;
  readonly reason: Reason;
  readonly made: KeyCreationsDto;
}

/** Records revoked keys. `byKeyId` is null when an operator or a session revokes them. */
export const recordRevoked = (
  client: ClientBase,
  revoked: readonly Revoked[],
  byKeyId: string | null,
  author: ActivityAuthor,
): Promise<void> => {
  const [first] = revoked;
  if (!first) return Promise.resolve();
  const entries = revoked.map(({ key, reason, made }) => {
    const hasMade = Object.values(made).some(({ length }) => length > 0);
    const after = { reason, revoked_by_key_id: byKeyId, ...(hasMade ? { made } : {}) };
    return entry(key, 'revoked', [change('deleted', null, factsOf(key), after)]);
  });
  return record(client, first.key.userId, entries, author);
};

interface Facts {
  readonly label: string;
  readonly mask_value: string;
  readonly scopes: readonly string[];
  readonly scoped_projects: readonly number[] | null;
  readonly expires_at: string | null;
  readonly created_by_key_id: string | null;
}

/** Returns the logged fields of a key; its text is never part of an entry. */
const factsOf = (key: PersonalApiKey): Facts => ({
  label: key.label,
  mask_value: key.maskValue,
  scopes: key.scopes,
  scoped_projects: key.projectIds,
  expires_at: isoOrNull(key.expiresAt),
  created_by_key_id: key.parentId,
});

const defined = (changes: KeyChanges): KeyChanges =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const change = (
  action: ActivityChange['action'],
  field: string | null,
  before: unknown,
  after: unknown,
): ActivityChange => ({ type: 'PersonalApiKey', action, field, before, after });

const entry = ({ id, label }: PersonalApiKey, activity: string, changes: ActivityChange[]): Activity => ({
  scope: 'PersonalApiKey',
  itemId: id,
  activity,
  name: label,
  changes,
});

const record = (client: ClientBase, userId: number, entries: readonly Activity[], author: ActivityAuthor) =>
  recordActivities(client, { accountOf: userId }, entries, author);
