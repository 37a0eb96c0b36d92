import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { backlogOf } from '../../platform/postgres/backlog.js';
import { isHeldUntil } from '../../platform/postgres/lease.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

export interface WebhookKey {
  readonly projectId: number;
  readonly id: number;
}

/**
 * Selects webhooks for which there are new changes, each with the newest change of the project. Ids of changes grow in the order
 * of commits, so no smaller id appears later.
 */
const fresh = (projectId: number, webhooks: PgSql): PgSql => {
  const project = bound(projectId);
  return pgSql`
    SELECT w.id, newest.id AS newest
    FROM webhooks AS w
    CROSS JOIN LATERAL (
      SELECT c.id FROM cohort_changes AS c WHERE c.project_id = ${project} AND c.id > w.seen_change
      ORDER BY c.id DESC LIMIT 1
    ) AS newest
    WHERE w.project_id = ${project} AND ${webhooks}`;
};

/**
 * Makes the changed cohorts due. A cohort without a position starts at the last change that its webhook had seen; a destination
 * gets the members of then first. A webhook of all cohorts gets those of persons, because its receiver may not know groups, nor
 * its maker be allowed to read them.
 */
const makeDue = (projectId: number, webhooks: PgSql, newest: PgSql, now: Date): PgSql => pgSql`
  INSERT INTO webhook_positions (project_id, webhook_id, cohort_id, change_id, change_offset, failures, page_after, next_attempt_at)
  SELECT DISTINCT w.project_id, w.id, c.cohort_id, w.seen_change, 0, 0, CASE WHEN w.format <> 'standard' THEN 0 END,
    ${bound(now)}::timestamptz
  FROM webhooks AS w
  JOIN cohort_changes AS c ON c.project_id = w.project_id AND c.id > w.seen_change AND c.id <= ${newest}
  JOIN cohorts AS k ON k.project_id = c.project_id AND k.id = c.cohort_id
  WHERE w.project_id = ${bound(projectId)} AND ${webhooks} AND 'cohort.changed' = ANY (w.events)
    AND (c.cohort_id = ANY (w.cohorts) OR w.cohorts IS NULL AND k.group_type_index IS NULL)
  ON CONFLICT (project_id, webhook_id, cohort_id) DO UPDATE
  SET next_attempt_at = coalesce(webhook_positions.next_attempt_at, excluded.next_attempt_at)`;

/**
 * Notes the new changes for the webhooks that `chosen` selects, and returns their number. Either `chosen` or the caller locks the
 * rows, because Citus takes no statement that locks and writes at once.
 */
const note = async (client: Queryable, projectId: number, chosen: PgSql, now: Date): Promise<number> => {
  const { rows } = await client.query<{ id: number; newest: string }>(chosen);
  if (!rows[0]) return 0;
  const newest = pgSql`${bound(rows[0].newest)}::bigint`;
  const these = pgSql`w.id = ANY (${bound(rows.map(({ id }) => id))}::integer[])`;
  await client.query(makeDue(projectId, these, newest, now).named('webhooks-make-due'));
  await client.query(
    pgSql`UPDATE webhooks AS w SET seen_change = ${newest} WHERE w.project_id = ${bound(projectId)} AND ${these}`.named(
      'webhooks-seen',
    ),
  );
  return rows.length;
};

const projectsWithNews = pgSql`
  SELECT DISTINCT w.project_id AS id FROM webhooks AS w
  WHERE w.paused_at IS NULL AND EXISTS (
    SELECT FROM cohort_changes AS c WHERE c.project_id = w.project_id AND c.id > w.seen_change)`.named(
  'webhooks-projects-with-news',
);

/**
 * Makes the cohorts that changed due, for all webhooks that are not paused, and returns the number of webhooks. A webhook that
 * another transaction has locked is left for the next call.
 */
export const noteNewChanges = async (postgres: Postgres, now: Date): Promise<number> => {
  const { rows: projects } = await postgres.query<{ id: number }>(projectsWithNews);
  const free = pgSql`w.paused_at IS NULL FOR NO KEY UPDATE OF w SKIP LOCKED`;
  let noted = 0;
  for (const { id } of projects) {
    const chosen = fresh(id, free).named('webhooks-fresh');
    noted += await postgres.transaction((client) => note(client, id, chosen, now));
  }
  return noted;
};

/** Does the same as `noteNewChanges` for one webhook, whose row the caller has locked. */
export const noteChangesOf = async (client: Queryable, { projectId, id }: WebhookKey, now: Date): Promise<void> => {
  await note(client, projectId, fresh(projectId, pgSql`w.id = ${bound(id)}`), now);
};

/** Returns the last change of the project, even if it is no longer kept. */
export const lastChangeOf = async (client: Queryable, projectId: number): Promise<string> => {
  const { rows } = await client.query<{ last: string }>(
    pgSql`SELECT greatest(
       (SELECT coalesce(max(id), 0) FROM cohort_changes WHERE project_id = ${bound(projectId)}),
       (SELECT coalesce(max(forgotten_change), 0) FROM cohorts WHERE project_id = ${bound(projectId)})) AS last`,
  );
  return rows[0]?.last ?? '0';
};

export interface DueWebhook extends WebhookKey {
  readonly url: string;
  readonly isFailing: boolean;
}

/** At most this many webhooks of each project are listed, so that no project fills the list. */
export const dueOfProject = 20;

export const webhookLeaseName = ({ projectId, id }: WebhookKey): string => `webhook:${projectId}:${id}`;

/**
 * True for positions that are due. Only failures put an attempt off for long: a distant time without a failure comes from a clock
 * that has been set back since.
 */
export const mayBeSent = (now: Date): PgSql =>
  pgSql`(p.next_attempt_at <= ${bound(now)} OR p.failures = 0 AND p.next_attempt_at > ${bound(now)}::timestamptz + interval '1 minute')`;

/**
 * Webhooks that have something to send now, those that wait longest first. `running` has the lease names of the webhooks that
 * this process works on; `respectLeases` leaves out webhooks that other processes work on.
 */
const due = (time: Date, running: readonly string[], respectLeases: boolean): PgSql => {
  return pgSql`
    SELECT d.project_id AS "projectId", d.webhook_id AS id, w.url, EXISTS (
      SELECT FROM webhook_positions AS f
      WHERE f.project_id = d.project_id AND f.webhook_id = d.webhook_id AND f.failing_since IS NOT NULL) AS "isFailing"
    FROM (
      SELECT p.project_id, p.webhook_id, min(p.next_attempt_at) AS since,
        row_number() OVER (PARTITION BY p.project_id ORDER BY min(p.next_attempt_at)) AS place
      FROM webhook_positions AS p
      WHERE ${mayBeSent(time)}
        AND NOT ('webhook:' || p.project_id || ':' || p.webhook_id = ANY (${bound(running)}::text[]))
        AND NOT (${bound(respectLeases)} AND 'webhook:' || p.project_id || ':' || p.webhook_id IN (
          SELECT l.name FROM leases AS l WHERE l.name LIKE 'webhook:%' AND ${isHeldUntil(pgSql`l.expires_at`)}))
      GROUP BY p.project_id, p.webhook_id
    ) AS d
    JOIN webhooks AS w ON w.project_id = d.project_id AND w.id = d.webhook_id
    JOIN projects AS p ON p.id = d.project_id AND p.deleted_at IS NULL
    WHERE d.place <= ${bound(dueOfProject)} AND w.paused_at IS NULL
    ORDER BY d.since`.named('webhooks-due');
};

/** Counts the cohorts with something to send. Each waits since its attempt was due, or since the first attempt that failed. */
export const waitingMessages = (postgres: Queryable): Promise<Backlog> =>
  backlogOf(
    postgres,
    pgSql`SELECT coalesce(failing_since, next_attempt_at) AS due_at FROM webhook_positions
      WHERE next_attempt_at IS NOT NULL ORDER BY next_attempt_at`,
  );

/** True if any webhook has something to send, now or later. */
export const someWait = async (postgres: Queryable): Promise<boolean> => {
  const { rows } = await postgres.query<{ wait: boolean }>(
    pgSql`SELECT EXISTS (SELECT FROM webhook_positions WHERE next_attempt_at IS NOT NULL) AS wait`.named(
      'webhooks-wait',
    ),
  );
  return rows[0]?.wait === true;
};

export const dueWebhooks = async (
  postgres: Queryable,
  now: Date,
  running: readonly string[],
  respectLeases: boolean,
): Promise<DueWebhook[]> => (await postgres.query<DueWebhook>(due(now, running, respectLeases))).rows;
