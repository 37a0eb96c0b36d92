import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type Author } from '../common/author.js';

/** What an entry of a project's log can be about. */
export const projectScopes = ['Person', 'Cohort', 'Project', 'Import', 'Export'] as const;

export type ActivityScope = (typeof projectScopes)[number] | 'PersonalApiKey';

/** The log of a project, or the log of what happened to a user's keys, which belong to no project. */
export type ActivityOwner = { readonly id: number } | { readonly accountOf: number };

/** An entry of the service itself, or of an operator at the command line, has no user, and no request of its own. */
export type ActivityAuthor = Omit<Author, 'requestId'> & { readonly requestId: string | null };

export interface ActivityChange {
  /** What kind of thing changed: a scope. */
  readonly type: ActivityScope;
  readonly action: 'created' | 'changed' | 'deleted' | 'merged' | 'split' | 'imported' | 'exported';
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Activity {
  readonly scope: ActivityScope;
  readonly itemId: string;
  readonly activity: string;
  /** Without personal data: an entry outlives what it is about. */
  readonly name: string | null;
  readonly changes: readonly ActivityChange[];
}

const insertInto = (table: string, owner: string): string => `
  INSERT INTO ${table} (${owner}, id, scope, item_id, activity, user_id, request_id, detail, created_at)
  SELECT $1, entry.id, entry.scope, entry.item_id, entry.activity, $3, $4, entry.detail, $5
  FROM jsonb_to_recordset($2::jsonb) AS entry (id uuid, scope text, item_id text, activity text, detail jsonb)`;

const inserts = {
  project: { name: 'activity-insert', text: insertInto('activity_log', 'project_id') },
  account: { name: 'account-activity-insert', text: insertInto('account_activity', 'account_id') },
};

/** In the transaction of the change itself: there is no change without its entry, and no entry without its change. */
export const recordActivities = async (
  client: ClientBase,
  owner: ActivityOwner,
  activities: readonly Activity[],
  { userId, requestId, now }: ActivityAuthor,
): Promise<void> => {
  if (activities.length === 0) return;
  const entries = activities.map(({ scope, itemId, activity, name, changes }) => ({
    id: uuidv7(),
    scope,
    item_id: itemId,
    activity,
    detail: { name, changes },
  }));
  await client.query({
    ...('id' in owner ? inserts.project : inserts.account),
    values: ['id' in owner ? owner.id : owner.accountOf, JSON.stringify(entries), userId, requestId, now],
  });
};

export const recordActivity = (
  client: ClientBase,
  owner: ActivityOwner,
  activity: Activity,
  author: ActivityAuthor,
): Promise<void> => recordActivities(client, owner, [activity], author);
