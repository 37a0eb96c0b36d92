import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type Author } from '../common/author.js';
import { type ProjectContext } from '../common/project-context.js';

export type ActivityScope = 'Person' | 'Cohort';

export interface ActivityChange {
  /** What kind of thing changed: a scope. */
  readonly type: ActivityScope;
  readonly action: 'created' | 'changed' | 'deleted' | 'merged' | 'split' | 'exported';
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

const insert = `
  INSERT INTO activity_log (project_id, id, scope, item_id, activity, user_id, request_id, detail, created_at)
  SELECT $1, entry.id, entry.scope, entry.item_id, entry.activity, $3, $4, entry.detail, $5
  FROM jsonb_to_recordset($2::jsonb) AS entry (id uuid, scope text, item_id text, activity text, detail jsonb)`;

/** In the transaction of the change itself: there is no change without its entry, and no entry without its change. */
export const recordActivities = async (
  client: ClientBase,
  project: ProjectContext,
  activities: readonly Activity[],
  { userId, requestId, now }: Author,
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
    name: 'activity-insert',
    text: insert,
    values: [project.id, JSON.stringify(entries), userId, requestId, now],
  });
};

export const recordActivity = (
  client: ClientBase,
  project: ProjectContext,
  activity: Activity,
  author: Author,
): Promise<void> => recordActivities(client, project, [activity], author);
