import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type Author } from '../access/author.js';
import { existingProject } from '../projects/projects.repository.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** The kinds of items that an entry of a project's log can be about. */
export const projectScopes = [
  'Person',
  'Group',
  'Cohort',
  'Action',
  'FeatureFlag',
  'Insight',
  'Dashboard',
  'Annotation',
  'Alert',
  'Definition',
  'Project',
  'Import',
  'Export',
  'Member',
  'Invitation',
  'Webhook',
] as const;

export type ActivityScope = (typeof projectScopes)[number] | 'PersonalApiKey' | 'User' | 'Session';

/** The log of a project, or that of a user's account, with the user's keys and sessions, which belong to no project. */
export type ActivityOwner = { readonly id: number } | { readonly accountOf: number };

/** The author of an entry. Entries of the service itself, or of an operator at the command line, have no user and no request. */
export type ActivityAuthor = Omit<Author, 'requestId'> & { readonly requestId: string | null };

export interface ActivityChange {
  /** The kind of item that changed. */
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
  /** Must contain no personal data, because an entry outlives its item. */
  readonly name: string | null;
  readonly changes: readonly ActivityChange[];
}

interface ActivityRow {
  readonly id: string;
  readonly scope: ActivityScope;
  readonly item_id: string;
  readonly activity: string;
  readonly detail: Pick<Activity, 'name' | 'changes'>;
}

const insertRows = (
  owner: ActivityOwner,
  rows: readonly ActivityRow[],
  { userId, requestId, now }: ActivityAuthor,
): PgSql => {
  const { name, table, column, id } =
    'id' in owner
      ? {
          name: 'activity-insert',
          table: pgSql`activity_log`,
          column: pgSql`project_id`,
          id: existingProject(owner.id),
        }
      : {
          name: 'account-activity-insert',
          table: pgSql`account_activity`,
          column: pgSql`account_id`,
          id: bound(owner.accountOf),
        };
  return pgSql`
    INSERT INTO ${table} (${column}, id, scope, item_id, activity, user_id, request_id, detail, created_at)
    SELECT ${id}, entry.id, entry.scope, entry.item_id, entry.activity, ${bound(userId)}, ${bound(requestId)},
      entry.detail, ${bound(now)}
    FROM jsonb_to_recordset(${bound(JSON.stringify(rows))}::jsonb)
      AS entry (id uuid, scope text, item_id text, activity text, detail jsonb)`.named(name);
};

/**
 * Writes entries. Must be called in the transaction of the change, so that no change lacks its entry, and no entry its change.
 */
export const recordActivities = async (
  client: ClientBase,
  owner: ActivityOwner,
  activities: readonly Activity[],
  author: ActivityAuthor,
): Promise<void> => {
  if (activities.length === 0) return;
  const rows = activities.map(({ scope, itemId, activity, name, changes }) => ({
    id: uuidv7(),
    scope,
    item_id: itemId,
    activity,
    detail: { name, changes },
  }));
  await client.query(insertRows(owner, rows, author));
};

export const recordActivity = (
  client: ClientBase,
  owner: ActivityOwner,
  activity: Activity,
  author: ActivityAuthor,
): Promise<void> => recordActivities(client, owner, [activity], author);
