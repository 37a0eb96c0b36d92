import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { backlogOf } from '../../platform/postgres/backlog.js';
import { isHeldUntil, type Lease } from '../../platform/postgres/lease.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, type PgSql, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { type DashboardSchedule } from './dashboard-schedule.entity.js';
import { type DashboardScheduleDto } from './schedule.dto.js';

export type ScheduleRow = Stored<DashboardSchedule>;

export type DueSchedule = ScheduleRow & { readonly project_name: string };

export const scheduleLeaseName = ({ project_id, id }: Pick<ScheduleRow, 'project_id' | 'id'>): string =>
  `schedule:${project_id}:${id}`;

const ofSchedule = ({ project_id, id }: Pick<ScheduleRow, 'project_id' | 'id'>): PgSql =>
  pgSql`project_id = ${bound(project_id)} AND id = ${bound(id)}`;

/** The schedule of each project that has waited longest. `running` has the lease names of those of this process. */
export const nextSchedules = async (
  postgres: Queryable,
  now: Date,
  running: readonly string[],
  respectLeases: boolean,
): Promise<DueSchedule[]> => {
  const { rows } = await postgres.query<DueSchedule>(
    pgSql`SELECT DISTINCT ON (s.project_id) s.*, p.name AS project_name FROM dashboard_schedules AS s
     JOIN projects AS p ON p.id = s.project_id AND p.deleted_at IS NULL
     WHERE s.next_attempt_at <= ${bound(now)}
       AND NOT ('schedule:' || s.project_id || ':' || s.id = ANY (${bound(running)}::text[]))
       AND NOT (${bound(respectLeases)} AND 'schedule:' || s.project_id || ':' || s.id IN (
         SELECT l.name FROM leases AS l WHERE l.name LIKE 'schedule:%' AND ${isHeldUntil(pgSql`l.expires_at`)}))
     ORDER BY s.project_id, s.next_attempt_at, s.id`.named('schedules-next'),
  );
  return rows;
};

export const waitingSchedules = (postgres: Queryable): Promise<Backlog> =>
  backlogOf(
    postgres,
    pgSql`SELECT next_attempt_at AS due_at FROM dashboard_schedules WHERE next_attempt_at IS NOT NULL`,
  );

const columnOf = {
  due_at: pgSql`due_at`,
  next_attempt_at: pgSql`next_attempt_at`,
  message: pgSql`message`,
  waiting: pgSql`waiting`,
  failures: pgSql`failures`,
  problem: pgSql`problem`,
  last_sent_at: pgSql`last_sent_at`,
};

type Outcome = Partial<Pick<ScheduleRow, keyof typeof columnOf>>;

/** Other columns stay as they are stored: an address that has left `waiting` must not return. */
const assignments = (outcome: Outcome): PgSql =>
  joinedSql(
    (Object.keys(outcome) as (keyof Outcome)[]).map((name) => pgSql`${columnOf[name]} = ${bound(outcome[name])}`),
  );

/**
 * Stores the outcome of an attempt, unless another process has come before, or the schedule is deleted: then it returns false.
 * `more` works in the same transaction.
 */
export const recordSending = (
  postgres: Postgres,
  lease: Lease,
  schedule: ScheduleRow,
  outcome: Outcome,
  more: (client: ClientBase) => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { rowCount } = await client.query(
      pgSql`UPDATE dashboard_schedules SET ${assignments(outcome)}
       WHERE ${ofSchedule(schedule)} AND due_at = ${bound(schedule.due_at)} AND next_attempt_at IS NOT NULL`,
    );
    if (rowCount !== 1) return false;
    await more(client);
    return true;
  });

@Injectable()
export class SchedulesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** The schedules of a dashboard, newest first. */
  async list(project: ProjectContext, dashboardId: number): Promise<DashboardScheduleDto[]> {
    const { rows } = await this.postgres.query<ScheduleRow & { user: UserDto | null }>(
      pgSql`SELECT s.*, ${userJson} AS user FROM dashboard_schedules AS s LEFT JOIN users AS u ON u.id = s.created_by
       WHERE s.project_id = ${bound(project.id)} AND s.dashboard_id = ${bound(dashboardId)} ORDER BY s.created_at DESC, s.id DESC`,
    );
    return rows.map((row) => ({
      ...{ id: row.id, addresses: row.addresses, webhooks: row.webhooks, weekday: row.weekday, hour: row.hour },
      next_at: row.next_attempt_at === null ? null : row.due_at.toISOString(),
      last_sent_at: row.last_sent_at?.toISOString() ?? null,
      waiting: row.waiting.length,
      problem: row.problem,
      created_by: row.user,
      created_at: row.created_at.toISOString(),
    }));
  }

  async count(client: Queryable, { id }: ProjectContext, dashboardId: number): Promise<number> {
    const { rows } = await client.query<{ count: string }>(
      pgSql`SELECT count(*) FROM dashboard_schedules WHERE project_id = ${bound(id)} AND dashboard_id = ${bound(dashboardId)}`,
    );
    return Number(rows[0]?.count);
  }

  async insert(
    client: ClientBase,
    schedule: Omit<ScheduleRow, 'next_attempt_at' | 'message' | 'waiting' | 'failures' | 'problem' | 'last_sent_at'>,
  ): Promise<void> {
    await client.query(pgSql`
      INSERT INTO dashboard_schedules (project_id, id, dashboard_id, addresses, webhooks, weekday, hour, created_by, made_by_key,
        due_at, next_attempt_at, waiting, failures, created_at)
      VALUES (${bound(schedule.project_id)}, ${bound(schedule.id)}, ${bound(schedule.dashboard_id)}, ${bound(schedule.addresses)},
        ${bound(schedule.webhooks)}, ${bound(schedule.weekday)}, ${bound(schedule.hour)}, ${bound(schedule.created_by)},
        ${bound(schedule.made_by_key)}, ${bound(schedule.due_at)}, ${bound(schedule.due_at)}, '{}', 0, ${bound(schedule.created_at)})`);
  }

  /** Makes a schedule due at a moment. Returns false if there is none that has not ended. */
  async makeDue(
    client: ClientBase,
    project: ProjectContext,
    dashboardId: number,
    id: string,
    at: Date,
  ): Promise<boolean> {
    const { rowCount } = await client.query(
      pgSql`UPDATE dashboard_schedules SET due_at = ${bound(at)}, next_attempt_at = ${bound(at)}
       WHERE project_id = ${bound(project.id)} AND dashboard_id = ${bound(dashboardId)} AND id = ${bound(id)}
         AND next_attempt_at IS NOT NULL`,
    );
    return rowCount === 1;
  }

  /** Returns false if there is none. */
  async delete(client: ClientBase, project: ProjectContext, dashboardId: number, id: string): Promise<boolean> {
    const { rowCount } = await client.query(
      pgSql`DELETE FROM dashboard_schedules
       WHERE project_id = ${bound(project.id)} AND dashboard_id = ${bound(dashboardId)} AND id = ${bound(id)}`,
    );
    return rowCount === 1;
  }
}
