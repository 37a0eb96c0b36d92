import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { shortIdOf } from '../../platform/values/short-id.js';
import { noRecord } from '../record-id.js';
import { type AlertCheckDto, type AlertDto, type AlertQuery, type AlertState } from './alert.dto.js';
import { type Alert, type AlertCheck } from './alert.entity.js';
import { type AlertChange, type AlertVerdict } from './alert-rule.js';

export type AlertRow = Stored<Omit<Alert, 'projectId' | 'createdBy' | 'failures'>> & {
  readonly insight_name: string | null;
  readonly subscribers: UserDto[];
  readonly last_value: number | null;
  readonly created_by: UserDto | null;
};

type CheckRow = Stored<Omit<AlertCheck, 'projectId' | 'alertId'>>;

const select = pgSql`
  SELECT a.id, a.name, a.insight_id, a.series_index, a.condition, a.threshold, a.calculation_interval, a.skip_weekend, a.enabled,
    a.disabled_reason, a.snoozed_until, a.subscribed_users, a.firing, a.error, a.due_moment, a.next_attempt_at, a.last_checked_at,
    a.last_notified_at, a.created_at, a.updated_at, i.name AS insight_name, ${userJson} AS created_by, (
      SELECT c.value FROM alert_checks AS c WHERE c.project_id = a.project_id AND c.alert_id = a.id
      ORDER BY c.interval_start DESC LIMIT 1
    ) AS last_value, (
      SELECT coalesce(json_agg(${userJson} ORDER BY u.id), '[]') FROM users AS u WHERE u.id = ANY (a.subscribed_users)
    ) AS subscribers
  FROM alerts AS a LEFT JOIN insights AS i ON i.project_id = a.project_id AND i.id = a.insight_id
  LEFT JOIN users AS u ON u.id = a.created_by`;

/** Reads alerts as stored rows, and in the shape of the API. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find({ id: projectId }: ProjectContext, id: number, reader: Queryable = this.postgres): Promise<AlertRow> {
    const { rows } = await reader.query<AlertRow>(
      pgSql`${select} WHERE a.project_id = ${bound(projectId)} AND a.id = ${bound(id)}`,
    );
    if (!rows[0]) throw noRecord('alert', id);
    return rows[0];
  }

  async get(project: ProjectContext, id: number, now: Date, page?: AlertQuery): Promise<AlertDto> {
    const [row, checks] = await Promise.all([this.find(project, id), this.checks(project, id, page)]);
    return { ...toAlertDto(row, now), checks: [...checks.results], checks_total: checks.count };
  }

  async list(
    project: ProjectContext,
    { limit, offset }: PageQuery,
    insightId: number | undefined,
    now: Date,
  ): Promise<Slice<AlertDto>> {
    const where = joinedSql(
      [
        pgSql`a.project_id = ${bound(project.id)}`,
        ...(insightId === undefined ? [] : [pgSql`a.insight_id = ${bound(insightId)}`]),
      ],
      pgSql` AND `,
    );
    const [page, counted] = await Promise.all([
      this.postgres.query<AlertRow>(
        pgSql`${select} WHERE ${where} ORDER BY a.created_at DESC, a.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM alerts AS a WHERE ${where}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map((row) => toAlertDto(row, now)) };
  }

  private async checks(
    { id: projectId }: ProjectContext,
    id: number,
    { checks_limit: limit, checks_offset: offset }: AlertQuery = { checks_limit: 5, checks_offset: 0 },
  ): Promise<Slice<AlertCheckDto>> {
    const ofAlert = pgSql`project_id = ${bound(projectId)} AND alert_id = ${bound(id)}`;
    const [page, counted] = await Promise.all([
      this.postgres.query<CheckRow>(
        pgSql`SELECT interval_start, value, compared, lower, upper, breached, change, checked_at FROM alert_checks
         WHERE ${ofAlert} ORDER BY interval_start DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM alert_checks WHERE ${ofAlert}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map(toCheckDto) };
  }
}

const toCheckDto = (row: CheckRow): AlertCheckDto => ({
  ...decidedDto(row.interval_start, row, row.change),
  created_at: row.checked_at.toISOString(),
});

/** Decided intervals have one form: those that are recorded, those of a backtest, and those that messages tell of. */
export const decidedDto = (
  start: Date,
  { value, compared, lower, upper, breached }: AlertVerdict,
  change: AlertChange | null,
) => ({
  interval_start: start.toISOString(),
  calculated_value: value,
  compared: Number.isFinite(compared) ? compared : null,
  ...{ lower, upper },
  state: breached ? ('Firing' as const) : ('Not firing' as const),
  change,
});

const stateOf = ({ snoozed_until, error, firing }: AlertRow, now: Date): AlertState => {
  if (snoozed_until !== null && snoozed_until > now) return 'Snoozed';
  if (error !== null) return 'Errored';
  return firing ? 'Firing' : 'Not firing';
};

export const toAlertDto = (row: AlertRow, now: Date): AlertDto => ({
  id: row.id,
  name: row.name,
  insight: { id: row.insight_id, short_id: shortIdOf(row.insight_id), name: row.insight_name },
  condition: row.condition,
  threshold: row.threshold && { configuration: row.threshold },
  config: { type: 'TrendsAlertConfig', series_index: row.series_index, check_ongoing_interval: false },
  calculation_interval: row.calculation_interval,
  enabled: row.enabled,
  disabled_reason: row.disabled_reason,
  snoozed_until: isoOrNull(row.snoozed_until),
  skip_weekend: row.skip_weekend,
  subscribed_users: row.subscribers,
  state: stateOf(row, now),
  error: row.error,
  last_value: row.last_value,
  last_checked_at: isoOrNull(row.last_checked_at),
  last_notified_at: isoOrNull(row.last_notified_at),
  next_check_at: isoOrNull(row.next_attempt_at),
  checks: [],
  checks_total: null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  deleted: false,
});
