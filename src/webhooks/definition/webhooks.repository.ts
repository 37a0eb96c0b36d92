import { Injectable } from '@nestjs/common';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type WebhookDto } from '../webhook.dto.js';
import { type Webhook } from '../webhook.entity.js';
import { credentialKind } from '../destinations/destination.js';
import { actionIn, allCohorts, shownEvents } from './webhook-fields.js';
import { noWebhook } from './webhook-id.js';

export type WebhookRow = Stored<
  Pick<
    Webhook,
    | 'id'
    | 'url'
    | 'secret'
    | 'cohorts'
    | 'kinds'
    | 'events'
    | 'batchSize'
    | 'format'
    | 'identifier'
    | 'properties'
    | 'amplitude'
    | 'credentials'
    | 'pausedAt'
    | 'pausedReason'
    | 'createdAt'
  >
> & {
  readonly failing_since: Date | null;
  readonly created_by: UserDto | null;
};

const selectOf = (project: ProjectContext): PgSql => pgSql`
  SELECT w.id, w.url, w.secret, w.cohorts, w.kinds, w.events, w.batch_size, w.format, w.identifier, w.properties, w.amplitude,
    w.credentials, w.paused_at, w.paused_reason, w.created_at,
    (SELECT min(p.failing_since) FROM webhook_positions AS p WHERE p.project_id = ${bound(project.id)} AND p.webhook_id = w.id) AS failing_since,
    ${userJson} AS created_by
  FROM webhooks AS w LEFT JOIN users AS u ON u.id = w.created_by WHERE w.project_id = ${bound(project.id)}`;

/** Reads webhooks as stored rows, and in the shape of the API. */
@Injectable()
export class WebhooksRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(project: ProjectContext, id: number, reader: Queryable = this.postgres): Promise<WebhookRow> {
    const { rows } = await reader.query<WebhookRow>(pgSql`${selectOf(project)} AND w.id = ${bound(id)}`);
    if (!rows[0]) throw noWebhook(id);
    return rows[0];
  }

  async get(project: ProjectContext, id: number): Promise<WebhookDto> {
    return toWebhookDto(await this.find(project, id));
  }

  async list(project: ProjectContext, { limit, offset }: PageQuery): Promise<Slice<WebhookDto>> {
    const [page, counted] = await Promise.all([
      this.postgres.query<WebhookRow>(
        pgSql`${selectOf(project)} ORDER BY w.created_at DESC, w.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(
        pgSql`SELECT count(*) FROM webhooks WHERE project_id = ${bound(project.id)}`,
      ),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map((row) => toWebhookDto(row)) };
  }
}

/** The secret is shown in the answer to the creation only. */
export const toWebhookDto = (row: WebhookRow, secret: string | null = null): WebhookDto => ({
  id: row.id,
  url: row.url,
  secret,
  cohorts: row.cohorts ?? allCohorts,
  kinds: row.kinds,
  events: shownEvents(row.events),
  action: actionIn(row.events),
  batch_size: row.batch_size,
  format: row.format,
  identifier: row.identifier,
  properties: row.properties,
  amplitude: row.amplitude,
  credentials: credentialKind(row.credentials),
  paused: row.paused_at !== null,
  paused_at: isoOrNull(row.paused_at),
  paused_reason: row.paused_reason,
  failing_since: isoOrNull(row.failing_since),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  deleted: false,
});
