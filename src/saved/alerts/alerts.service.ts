import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { ItemLog } from '../../kernel/activity/item-log.js';
import { type ActivityChange } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { conflict, invalidInput, required } from '../../platform/errors/problem.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { savedQuestions } from '../questions/saved-questions.js';
import { assertRoom, oneWriterAtATime } from '../saved.repository.js';
import { type AlertDto, type CreateAlertBody, type UpdateAlertBody } from './alert.dto.js';
import { type AlertCondition, type Threshold } from './alert-rule.js';
import { readersAmong } from './alert-mails.js';
import { endBreach, type EndReason, forgetLastCheck } from './alert-records.js';
import { AlertWorker } from './alert-worker.js';
import { AlertsRepository, type AlertRow, toAlertDto } from './alerts.repository.js';
import {
  assertRule,
  readCondition,
  readConfig,
  readInsightId,
  readSnooze,
  readSubscribers,
  readThreshold,
} from './read-alert.js';
import { type CalculationInterval, graceMs, lastMoment, nextMoment } from './schedule.js';
import { WatchedNumbers } from './watched-numbers.js';

export const maxAlerts = 100;

const log = new ItemLog('Alert');

/** The settings of an alert. */
interface Described {
  readonly name: string;
  readonly insight: number;
  readonly series_index: number;
  readonly condition: AlertCondition;
  readonly threshold: Threshold | null;
  readonly calculation_interval: CalculationInterval;
  readonly skip_weekend: boolean;
  readonly enabled: boolean;
  readonly snoozed_until: string | null;
  readonly subscribed_users: readonly number[];
}

/** Creates, changes and deletes alerts. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: AlertsRepository,
    private readonly numbers: WatchedNumbers,
    private readonly worker: AlertWorker,
    private readonly mailer: Mailer,
  ) {}

  async create(project: ProjectContext, body: CreateAlertBody, author: Author): Promise<AlertDto> {
    const after: Described = {
      name: body.name ?? '',
      insight: readInsightId(body.insight),
      series_index: readConfig(body.config),
      condition: readCondition(body.condition ?? { type: 'absolute_value' }),
      threshold: readThreshold(body.threshold),
      calculation_interval: body.calculation_interval ?? 'daily',
      skip_weekend: body.skip_weekend ?? false,
      enabled: body.enabled ?? true,
      snoozed_until: readSnooze(body.snoozed_until, author.now, project)?.toISOString() ?? null,
      subscribed_users: readSubscribers(body.subscribed_users),
    };
    assertRule(after);
    await this.assertWatched(project, after, author.now);
    const id = await oneWriterAtATime(this.postgres, project, async (client) => {
      await assertRoom(client, project, { table: pgSql`alerts` }, { most: maxAlerts, kind: 'alerts' });
      await assertInsight(client, project, after.insight);
      await this.assertReached(client, project, after.subscribed_users);
      const made = await insert(client, project, after, author);
      const entry = { id: made, activity: 'created', name: after.name, changes: log.created(after) };
      await log.record(client, project, entry, author);
      return made;
    });
    this.worker.wake();
    return toAlertDto(await this.rows.find(project, id), author.now);
  }

  async update(project: ProjectContext, id: number, body: UpdateAlertBody, author: Author): Promise<AlertDto> {
    if (body.insight === null) throw required('insight');
    const seen = describedBy(await this.rows.find(project, id));
    const sent = edited(seen, body, author.now, project);
    const isMoved = sent.insight !== seen.insight || sent.series_index !== seen.series_index;
    if (isMoved) await this.assertWatched(project, sent, author.now);
    await oneWriterAtATime(this.postgres, project, async (client) => {
      await client.query(
        pgSql`SELECT FROM alerts WHERE project_id = ${bound(project.id)} AND id = ${bound(id)} FOR UPDATE`,
      );
      const row = await this.rows.find(project, id, client);
      assertUnchanged(body, toAlertDto(row, author.now));
      const before = describedBy(row);
      const after = edited(before, body, author.now, project);
      assertRule(after);
      const changes = log.differences(before, after);
      if (changes.length === 0) return;
      const added = after.subscribed_users.filter((user) => !before.subscribed_users.includes(user));
      await this.assertReached(client, project, added);
      if (isMoved || (after.enabled && !before.enabled)) await assertInsight(client, project, after.insight);
      await log.record(client, project, { id, activity: 'updated', name: after.name, changes }, author);
      await this.write(client, project, row, after, changes, author);
    });
    this.worker.wake();
    return this.rows.get(project, id, author.now);
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await oneWriterAtATime(this.postgres, project, async (client) => {
      await client.query(
        pgSql`SELECT FROM alerts WHERE project_id = ${bound(project.id)} AND id = ${bound(id)} FOR UPDATE`,
      );
      const row = await this.rows.find(project, id, client);
      await client.query(
        pgSql`DELETE FROM alert_checks WHERE project_id = ${bound(project.id)} AND alert_id = ${bound(id)}`,
      );
      await client.query(pgSql`DELETE FROM alerts WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`);
      await log.record(client, project, { id, activity: 'deleted', name: row.name, changes: log.deleted() }, author);
      await endBreach(client, project.id, row, 'deleted', author.now);
    });
  }

  private async assertWatched(project: ProjectContext, { insight, series_index }: Described, now: Date): Promise<void> {
    const question = (await savedQuestions(this.postgres, project, [insight])).get(insight);
    if (!question) throw unknownInsight(insight);
    await this.numbers.series(project, question, series_index, now);
  }

  /** Refuses users who could not get a mail. */
  private async assertReached(client: ClientBase, project: ProjectContext, users: readonly number[]): Promise<void> {
    if (users.length === 0) return;
    if (!this.mailer.isConfigured)
      throw conflict(
        'subscribed_users must be empty, because this installation has no SMTP server: set SMTP_URL and MAIL_FROM, ' +
          'or let a webhook with the events alert.fired and alert.resolved tell a program',
        'subscribed_users',
      );
    const readers = await readersAmong(client, project.id, users);
    const other = users.find((user) => !readers.includes(user));
    if (other === undefined) return;
    throw invalidInput(
      `subscribed_users must be ids of users of this project: there is no user ${other}`,
      'subscribed_users',
    );
  }

  /** A change of more than the name and the users begins anew: its breach ends, and the last interval is decided. */
  private async write(
    client: ClientBase,
    project: ProjectContext,
    row: AlertRow,
    after: Described,
    changes: readonly ActivityChange[],
    author: Author,
  ): Promise<void> {
    const beginsAnew = changes.some(({ field }) => field !== 'name' && field !== 'subscribed_users');
    const due = dueMoment(after, project, author.now);
    await client.query(
      pgSql`UPDATE alerts SET name = ${bound(after.name)}, insight_id = ${bound(after.insight)},
         series_index = ${bound(after.series_index)}, condition = ${bound(JSON.stringify(after.condition))},
         threshold = ${bound(after.threshold && JSON.stringify(after.threshold))},
         calculation_interval = ${bound(after.calculation_interval)}, skip_weekend = ${bound(after.skip_weekend)},
         enabled = ${bound(after.enabled)}, snoozed_until = ${bound(after.snoozed_until)},
         subscribed_users = ${bound(after.subscribed_users)}, updated_at = ${bound(author.now)}
       WHERE project_id = ${bound(project.id)} AND id = ${bound(row.id)}`,
    );
    if (!beginsAnew) return;
    if (after.enabled && due <= author.now) await forgetLastCheck(client, project.id, row.id);
    await client.query(
      pgSql`UPDATE alerts SET firing = false, error = NULL, failures = 0, disabled_reason = NULL, due_moment = ${bound(due)},
         next_attempt_at = ${bound(after.enabled ? new Date(due.getTime() + graceMs) : null)}
       WHERE project_id = ${bound(project.id)} AND id = ${bound(row.id)}`,
    );
    await endBreach(client, project.id, row, endReason(after, changes, author.now), author.now);
  }
}

const endReason = (
  { enabled, snoozed_until: until }: Described,
  changes: readonly ActivityChange[],
  now: Date,
): EndReason => {
  if (!enabled) return 'disabled';
  const isSnoozed = until !== null && new Date(until) > now;
  return isSnoozed && changes.some(({ field }) => field === 'snoozed_until') ? 'snoozed' : 'changed';
};

/** The first moment that is not before the end of a pause; without a pause the last one, so that a new alert is checked at once. */
const dueMoment = (
  { calculation_interval: calculation, snoozed_until: until }: Described,
  calendar: ProjectContext,
  now: Date,
): Date => {
  const snoozed = until === null ? null : new Date(until);
  if (snoozed === null || snoozed <= now) return lastMoment(now, { calculation, calendar });
  return nextMoment(new Date(snoozed.getTime() - 1), { calculation, calendar });
};

const edited = (before: Described, body: UpdateAlertBody, now: Date, project: ProjectContext): Described => ({
  name: body.name ?? before.name,
  insight: body.insight === undefined ? before.insight : readInsightId(body.insight),
  series_index: body.config === undefined ? before.series_index : readConfig(body.config),
  condition:
    body.condition === undefined ? before.condition : readCondition(body.condition ?? { type: 'absolute_value' }),
  threshold: body.threshold === undefined ? before.threshold : readThreshold(body.threshold),
  calculation_interval: body.calculation_interval ?? before.calculation_interval,
  skip_weekend: body.skip_weekend === undefined ? before.skip_weekend : (body.skip_weekend ?? false),
  enabled: body.enabled ?? before.enabled,
  snoozed_until:
    body.snoozed_until === undefined || body.snoozed_until === before.snoozed_until
      ? before.snoozed_until
      : (readSnooze(body.snoozed_until, now, project)?.toISOString() ?? null),
  subscribed_users:
    body.subscribed_users === undefined ? before.subscribed_users : readSubscribers(body.subscribed_users),
});

const describedBy = (row: AlertRow): Described => ({
  name: row.name,
  insight: row.insight_id,
  series_index: row.series_index,
  condition: row.condition,
  threshold: row.threshold,
  calculation_interval: row.calculation_interval,
  skip_weekend: row.skip_weekend,
  enabled: row.enabled,
  snoozed_until: row.snoozed_until?.toISOString() ?? null,
  subscribed_users: row.subscribed_users,
});

const unknownInsight = (id: number) =>
  invalidInput(`insight must be the id of a saved question of this project: there is no insight ${id}`, 'insight');

/** Called again where no other writer of the project deletes it meanwhile. */
export const assertInsight = async (
  client: Queryable,
  { id: projectId }: ProjectContext,
  id: number,
): Promise<void> => {
  const { rows } = await client.query(
    pgSql`SELECT 1 FROM insights WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
  if (rows.length === 0) throw unknownInsight(id);
};

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  alert: Described,
  author: Author,
): Promise<number> => {
  const due = dueMoment(alert, project, author.now);
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO alerts (project_id, name, insight_id, series_index, condition, threshold, calculation_interval, skip_weekend,
       enabled, snoozed_until, subscribed_users, firing, failures, due_moment, next_attempt_at, created_by, created_at, updated_at)
     VALUES (${bound(project.id)}, ${bound(alert.name)}, ${bound(alert.insight)}, ${bound(alert.series_index)},
       ${bound(JSON.stringify(alert.condition))}, ${bound(alert.threshold && JSON.stringify(alert.threshold))},
       ${bound(alert.calculation_interval)}, ${bound(alert.skip_weekend)}, ${bound(alert.enabled)}, ${bound(alert.snoozed_until)},
       ${bound(alert.subscribed_users)}, false, 0, ${bound(due)}, ${bound(alert.enabled ? new Date(due.getTime() + graceMs) : null)}, ${bound(author.userId)},
       ${bound(author.now)}, ${bound(author.now)})
     RETURNING id`,
  );
  return rows[0]?.id ?? 0;
};

/** Disables the alerts on a saved question in the transaction that deletes it. */
export const disableAlertsOf = async (
  client: ClientBase,
  project: ProjectContext,
  insightId: number,
  author: Author,
): Promise<void> => {
  const reason = `The saved question ${insightId} is deleted: name another one in insight, and enable the alert`;
  const { rows } = await client.query<AlertRow>(
    pgSql`SELECT id, name, insight_id, firing, subscribed_users FROM alerts
     WHERE project_id = ${bound(project.id)} AND insight_id = ${bound(insightId)} AND enabled ORDER BY id FOR UPDATE`,
  );
  if (rows.length === 0) return;
  await client.query(
    pgSql`UPDATE alerts SET enabled = false, disabled_reason = ${bound(reason)}, firing = false, error = NULL, failures = 0,
       next_attempt_at = NULL, updated_at = ${bound(author.now)}
     WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(rows.map(({ id }) => id))}::integer[])`,
  );
  for (const row of rows) {
    const changes = [log.changed('enabled', true, false), log.changed('disabled_reason', null, reason)];
    await log.record(client, project, { id: row.id, activity: 'updated', name: row.name, changes }, author);
  }
  for (const row of rows) await endBreach(client, project.id, row, 'insight_deleted', author.now);
};
